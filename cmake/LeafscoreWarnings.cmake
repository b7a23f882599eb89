# leafscore_warnings(TARGET): the warning set of every target of ours.
function(leafscore_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast)
  if(LEAFSCORE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
