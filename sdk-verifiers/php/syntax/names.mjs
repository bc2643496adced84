/** Functions, classes and constants that PHP got after 7.2: code in 7.2 syntax that calls them parses and then dies at run time. */
const words = (text) => new Set(text.trim().toLowerCase().split(/\s+/));

export const NEWER_FUNCTIONS = words(`
  array_key_first array_key_last is_countable hrtime gc_status net_get_interfaces
  mb_str_split get_mangled_object_vars password_algos openssl_x509_verify
  str_contains str_starts_with str_ends_with get_debug_type get_resource_id fdiv preg_last_error_msg
  array_is_list enum_exists fsync fdatasync
  ini_parse_quantity memory_reset_peak_usage mysqli_execute_query curl_upkeep
  json_validate mb_str_pad str_increment str_decrement stream_context_set_options
  array_find array_find_key array_any array_all mb_trim mb_ltrim mb_rtrim mb_ucfirst mb_lcfirst
  http_get_last_response_headers http_clear_last_response_headers request_parse_body fpow grapheme_str_split
  array_first array_last get_error_handler get_exception_handler clone_with`);

export const NEWER_CLASSES = words(`
  JsonException CompileError WeakReference WeakMap ReflectionReference ValueError UnhandledMatchError Stringable Attribute PhpToken
  ReflectionUnionType ReflectionEnum ReflectionEnumBackedCase ReflectionAttribute Fiber FiberError CURLStringFile ReturnTypeWillChange
  AllowDynamicProperties SensitiveParameter SensitiveParameterValue Override Deprecated NoDiscard UnitEnum BackedEnum`);

export const NEWER_CONSTANTS = words(`
  JSON_THROW_ON_ERROR PASSWORD_ARGON2ID FILTER_VALIDATE_BOOL IMAGETYPE_AVIF ARRAY_FILTER_USE_NOTHING
  PREG_BAD_UTF8_ERROR_MSG CURL_HTTP_VERSION_3 INI_PARSER_TYPED T_FN T_NAME_QUALIFIED`);

export const NEWER_TYPES = words('static mixed never true false null');
