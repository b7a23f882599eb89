"""How fast is a scorer, and does it agree? What `leafscore bench` does; docs/bench.md describes it.

Records (`records`) go to contestants (`contestants`), each in a process of its own (`player` here, `worker` there,
where `scoring` and `adapters` are what is timed). Their answers are compared first (`answers`, `agreement`); then rounds in
random order give figures (`rounds`, `figures`), also of records made larger (`growth`). Its result is a `Result`
(`results`), told as a table, as JSON and as a plot (`table`, `google_json`, `plot`).
"""
