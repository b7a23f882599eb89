// Before anything is drawn: scripts run, and the theme that was chosen last.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  let chosen = null;
  try {
    chosen = localStorage.getItem("leafscore-theme");
  } catch (refused) {
    // A page from a file may have no storage; then the system's theme it is.
  }
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
})();
