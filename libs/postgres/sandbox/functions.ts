/** What a statement may call: nothing that writes, waits, reads files or settings, names what is inside, or parses text as code. */

const words = (text: string): string[] => text.trim().split(/\s+/);

const aggregates = words(`
	count sum avg min max bool_and bool_or every stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp
	regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
	percentile_cont percentile_disc mode any_value
	rank dense_rank percent_rank cume_dist row_number ntile lag lead first_value last_value nth_value`);

/** Their result is as long as all that they are given together. */
export const collecting: ReadonlySet<string> = new Set(
	words("string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg"),
);

const mathematics = words(`
	abs ceil ceiling floor round trunc sign sqrt cbrt exp ln log log10 mod div power pow degrees radians pi
	sin cos tan asin acos atan atan2 width_bucket gcd scale trim_scale`);

/** They put text together: from them a number can be read that is longer than anything that was written. */
export const textFunctions: ReadonlySet<string> = new Set(
	words(`
	lower upper initcap left right substr substring trim btrim ltrim rtrim split_part reverse replace translate concat concat_ws
	overlay to_char md5 regexp_replace regexp_substr regexp_match regexp_matches regexp_split_to_array regexp_split_to_table
	string_to_array string_to_table array_to_string`),
);

const textMeasures = words(`
	length char_length character_length octet_length strpos position starts_with ascii regexp_count regexp_like regexp_instr`);

const moments = words(`
	now date_trunc date_part date_bin extract age make_date make_interval make_timestamp make_timestamptz to_date to_timestamp
	to_number justify_days justify_hours justify_interval isfinite timezone overlaps`);

const json = words(`
	json_build_object jsonb_build_object json_build_array jsonb_build_array to_json to_jsonb json_array_length jsonb_array_length
	json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text json_object_keys
	jsonb_object_keys json_each jsonb_each json_each_text jsonb_each_text json_extract_path jsonb_extract_path
	json_extract_path_text jsonb_extract_path_text json_typeof jsonb_typeof`);

const arrays = words(`
	array_length array_lower array_upper cardinality array_position array_positions array_append array_prepend array_cat
	array_remove unnest generate_series num_nulls num_nonnulls`);

/** Calls that the parser makes of LIKE ... ESCAPE and SIMILAR TO. */
const ofTheParser = words("like_escape similar_to_escape");

/** For people: what a statement may call. */
export const functionNames: readonly string[] = [
	...[...aggregates, ...collecting, ...mathematics, ...textFunctions, ...textMeasures],
	...[...moments, ...json, ...arrays],
].sort();

export const functions: ReadonlySet<string> = new Set([...functionNames, ...ofTheParser]);

/** Arguments (from 0) that must be written out: how long or how slow the result may be is read from them. */
export const literalArguments: Readonly<Record<string, readonly number[]>> = {
	to_char: [1],
	to_date: [1],
	to_timestamp: [1],
	to_number: [1],
	replace: [2],
	translate: [1, 2],
	array_to_string: [1, 2],
	regexp_replace: [1, 2],
	similar_to_escape: [0, 1],
};

/** The argument (from 0) that is a regular expression. */
export const patternArgument: Readonly<Record<string, number>> = {
	regexp_count: 1,
	regexp_instr: 1,
	regexp_like: 1,
	regexp_match: 1,
	regexp_matches: 1,
	regexp_replace: 1,
	regexp_split_to_array: 1,
	regexp_split_to_table: 1,
	regexp_substr: 1,
	similar_to_escape: 0,
};

/** Their result is as long as their arguments together. */
export const joining: ReadonlySet<string> = new Set(
	words(`concat concat_ws overlay array_append array_prepend array_cat unnest json_build_object jsonb_build_object
	json_build_array jsonb_build_array`),
);

/** They quote what they are given: a quotation mark becomes two characters. */
export const escaping: ReadonlySet<string> = new Set(
	words("json_build_object jsonb_build_object json_build_array jsonb_build_array to_json to_jsonb"),
);

/** One argument of any type, and the argument's columns in the result: `t.to_json` calls it when `t` has no such column. */
export const rowFunctions: ReadonlySet<string> = new Set([
	...[...collecting, ...escaping],
	...words(
		"text varchar bpchar row_to_json array_append concat json_build_array json_arrayagg quote_literal quote_nullable",
	),
	...words("hash_record record_out record_send pg_typeof pg_column_size pg_collation_for format any_value"),
]);
