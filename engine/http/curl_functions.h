// engine/http/curl_functions.h: the functions of libcurl that we use, under their names without the prefix.
#ifndef LEAFSCORE_ENGINE_HTTP_CURL_FUNCTIONS_H_
#define LEAFSCORE_ENGINE_HTTP_CURL_FUNCTIONS_H_

#include <curl/curl.h>

namespace leafscore::internal {

struct CurlFunctions {
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_setopt) multi_setopt;
  decltype(&::curl_multi_socket_action) multi_socket_action;
  decltype(&::curl_multi_info_read) multi_info_read;
};

// Loads libcurl on the first call. ERRORS: as SharedLibrary.
const CurlFunctions& Curl();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_HTTP_CURL_FUNCTIONS_H_
