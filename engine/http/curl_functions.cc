#include "engine/http/curl_functions.h"

#include <new>

#include "engine/base/shared_library.h"

namespace leafscore::internal {
namespace {

CurlFunctions Load() {
  const SharedLibrary library({"libcurl.so.4"}, "libcurl4");
  decltype(&::curl_global_init) global_init;
  library.Find("curl_global_init", global_init);
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::bad_alloc();
  CurlFunctions functions;
  library.Find("curl_easy_init", functions.easy_init);
  library.Find("curl_easy_cleanup", functions.easy_cleanup);
  library.Find("curl_easy_setopt", functions.easy_setopt);
  library.Find("curl_easy_getinfo", functions.easy_getinfo);
  library.Find("curl_easy_strerror", functions.easy_strerror);
  library.Find("curl_slist_append", functions.slist_append);
  library.Find("curl_slist_free_all", functions.slist_free_all);
  library.Find("curl_multi_init", functions.multi_init);
  library.Find("curl_multi_cleanup", functions.multi_cleanup);
  library.Find("curl_multi_add_handle", functions.multi_add_handle);
  library.Find("curl_multi_remove_handle", functions.multi_remove_handle);
  library.Find("curl_multi_setopt", functions.multi_setopt);
  library.Find("curl_multi_socket_action", functions.multi_socket_action);
  library.Find("curl_multi_info_read", functions.multi_info_read);
  return functions;
}

}  // namespace

const CurlFunctions& Curl() {
  static const CurlFunctions functions = Load();
  return functions;
}

}  // namespace leafscore::internal
