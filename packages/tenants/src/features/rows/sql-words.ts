/** Functions of PostgreSQL, MySQL and SQLite that read nothing but their arguments. */
const FUNCTIONS = `
count sum avg min max total array_agg string_agg group_concat json_agg jsonb_agg json_arrayagg json_objectagg json_object_agg
jsonb_object_agg json_group_array json_group_object bool_and bool_or every bit_and bit_or stddev stddev_pop stddev_samp variance
var_pop var_samp percentile_cont percentile_disc mode row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value
last_value nth_value grouping coalesce nullif ifnull iif if greatest least abs ceil ceiling floor round trunc truncate mod power pow
sqrt sign exp ln log log10 lower upper length char_length character_length octet_length bit_length concat concat_ws substr substring
trim ltrim rtrim btrim replace left right lpad rpad repeat reverse split_part strpos instr locate starts_with initcap translate
overlay position md5 sha1 sha2 hex unhex ascii chr char unicode format printf to_char to_date to_timestamp to_number to_hex encode
decode regexp_replace regexp_match regexp_matches regexp_like regexp_substr regexp_split_to_array now date time datetime timestamp
strftime julianday unixepoch date_trunc date_part date_bin age date_format date_add date_sub adddate subdate datediff timestampdiff
timestampadd from_unixtime unix_timestamp str_to_date year quarter month week day hour minute second weekday dayofweek dayofmonth
dayofyear last_day curdate curtime utc_timestamp clock_timestamp statement_timestamp transaction_timestamp make_date make_time
make_timestamp make_interval justify_days justify_hours json jsonb json_build_object jsonb_build_object json_build_array
jsonb_build_array json_object jsonb_object json_array json_extract json_unquote json_quote json_value json_set json_insert
json_replace json_remove json_patch json_merge_patch json_contains json_contains_path json_search json_keys json_length json_depth
json_type json_valid json_array_length jsonb_array_length json_typeof jsonb_typeof to_json to_jsonb row_to_json json_strip_nulls
jsonb_strip_nulls jsonb_set jsonb_insert jsonb_pretty json_extract_path json_extract_path_text jsonb_extract_path
jsonb_extract_path_text jsonb_path_exists jsonb_path_query_first json_array_elements json_array_elements_text jsonb_array_elements
jsonb_array_elements_text json_each json_each_text jsonb_each jsonb_each_text json_object_keys jsonb_object_keys json_tree
generate_series unnest array_length cardinality array_append array_prepend array_cat array_remove array_replace array_position
array_positions array_to_string string_to_array array_upper array_lower to_tsvector to_tsquery plainto_tsquery phraseto_tsquery
websearch_to_tsquery ts_rank ts_rank_cd ts_headline setweight numnode typeof isnull random gen_random_uuid uuid uuidv7 cast convert
any all some row`;

/** Words that may stand in an expression. None of them begins a clause that could name a table. */
const KEYWORDS = `
and or not xor is null true false unknown in between symmetric like ilike escape regexp glob match case when then else end asc desc
nulls first last distinct interval at time zone as any all some exists over partition by order rows range groups unbounded preceding
following current row collate div mod default separator binary current_timestamp current_date current_time localtimestamp localtime
text varchar char character varying int integer bigint smallint tinyint numeric decimal real double precision float boolean bool
json jsonb uuid timestamp timestamptz date datetime timetz bytea signed unsigned microsecond second minute hour day week month
quarter year`;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const SAFE_FUNCTIONS = wordsOf(FUNCTIONS);
const EXPRESSION_WORDS = wordsOf(KEYWORDS);

export const isExpressionWord = (word: string): boolean => EXPRESSION_WORDS.has(word.toLowerCase());

/** Whether queries may call a function: one of the list, or one that the application named in `functions`. */
export const functionCheck = (own: readonly string[]): ((name: unknown) => boolean) => {
	const named = new Set(own.map((name) => name.toLowerCase()));
	return (name) =>
		typeof name === "string" && (SAFE_FUNCTIONS.has(name.toLowerCase()) || named.has(name.toLowerCase()));
};
