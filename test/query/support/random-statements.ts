/** Statements by DuckDB's grammar, most of them wrong: drawn from a seed, so that a run can be repeated. */
import { random } from "../../support/file-formats.ts";

/** @param file a path that no statement may read. @param functions names to call. */
export function randomStatements(seed: number, file: string, functions: readonly string[]): () => string {
	const next = random(seed);
	const one = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
	const some = (make: () => string, most: number, by = ", "): string =>
		Array.from({ length: 1 + Math.floor(next() * most) }, make).join(by);
	const maybe = (text: () => string, chance = 0.3): string => (next() < chance ? text() : "");

	const columns = [
		"id",
		"name",
		"capacity_mw",
		"opened_at",
		"states",
		"status",
		"raw",
		"queue_date",
		"region_id",
		"plant_id",
		"*",
	];
	const literals = [
		"1",
		"-1",
		"0",
		"2.5",
		"1e308",
		"null",
		"true",
		"'x'",
		`'${file}'`,
		"'/etc/passwd'",
		"date '2024-01-01'",
		"interval 1 day",
		"[1, 2]",
		"{'a': 1}",
		"map {'k': 1}",
		"'{\"a\": 1}'::json",
		"''",
		"9223372036854775807",
	];
	const types = [
		"int",
		"varchar",
		"double",
		"date",
		"timestamptz",
		"json",
		"blob",
		"int[]",
		"uuid",
		"decimal(38, 10)",
		"enum('a')",
	];
	const operators = [
		"+",
		"-",
		"*",
		"/",
		"//",
		"%",
		"||",
		"=",
		"<>",
		"<",
		"and",
		"or",
		"like",
		"is distinct from",
		"->",
		"->>",
		"^",
		"&",
		"<<",
		"in",
		"similar to",
	];
	const tables = [
		"plants_view",
		"requests_view",
		"master.plants_view",
		"grid.owners_view",
		"missing",
		"pg_class",
		"information_schema.tables",
		`'${file}'`,
		"'*.parquet'",
		"duckdb_settings()",
		`read_csv('${file}')`,
		`read_text('${file}')`,
		`glob('/etc/*')`,
		"range(10)",
		"unnest([1, 2])",
		"generate_series(1, 3)",
		"query('select 1')",
		"cte",
	];
	const joins = [
		"join",
		"left join",
		"full join",
		"cross join",
		"natural join",
		"semi join",
		"anti join",
		"asof join",
		"positional join",
		",",
	];

	/** Values of every type, so that not every statement fails of its types. */
	const usual = [
		"count",
		"max",
		"min",
		"any_value",
		"typeof",
		"hash",
		"coalesce",
		"concat",
		"list",
		"to_json",
		"first",
		"last",
	];
	const called = (): string => (next() < 0.7 ? one(usual) : one(functions));
	const real = ["plants_view", "requests_view", "master.plants_view", "grid.owners_view", "range(10)"];
	const named = (): string => (next() < 0.8 ? one(real) : one(tables));

	const expression = (depth: number): string => {
		if (depth <= 0) return next() < 0.5 ? one(columns.slice(0, 2)) : one(literals);
		switch (Math.floor(next() * 13)) {
			case 0:
				return `${called()}(${maybe(() => some(() => expression(depth - 1), 3), 0.9)})`;
			case 1:
				return `(${expression(depth - 1)} ${one(operators)} ${expression(depth - 1)})`;
			case 2:
				return `${maybe(() => "try_", 0.5)}cast(${expression(depth - 1)} as ${one(types)})`;
			case 3:
				return `case when ${expression(depth - 1)} then ${expression(depth - 1)} else ${expression(depth - 1)} end`;
			case 4:
				return `(${select(depth - 1)})`;
			case 5:
				return `${maybe(() => "not ", 0.5)}exists (${select(depth - 1)})`;
			case 6:
				return `${called()}(${expression(depth - 1)}) over (${maybe(() => `partition by ${expression(depth - 1)} `)}${maybe(() => `order by ${expression(depth - 1)}`)})`;
			case 7:
				return `${called()}(${maybe(() => "distinct ")}${expression(depth - 1)}) filter (where ${expression(depth - 1)})`;
			case 8:
				return `list_transform(${expression(depth - 1)}, lambda x: ${expression(depth - 1)})`;
			case 9:
				return `[${some(() => expression(depth - 1), 3)}]`;
			case 10:
				return `(${expression(depth - 1)}).${called()}()`;
			case 11:
				return `columns(${one(["*", "'^n'", "c -> c like 'n%'"])})`;
			default:
				return one(columns);
		}
	};
	const table = (depth: number): string => {
		const place = depth > 0 && next() < 0.3 ? `(${select(depth - 1)})` : named();
		return `${place}${maybe(() => ` as t${Math.floor(next() * 3)}`, 0.5)}${maybe(() => " tablesample 50%", 0.05)}`;
	};
	const from = (depth: number): string =>
		table(depth) +
		maybe(
			() =>
				` ${one(joins)} ${table(depth)}${maybe(() => one([" using (id)", " on true", ` on ${expression(depth - 1)}`]), 0.7)}`,
			0.4,
		);
	const select = (depth: number): string => {
		const cte = maybe(
			() =>
				`with ${maybe(() => "recursive ")}${one(["cte", "pg_class", "plants_view", "x"])} as (${select(depth - 1)}) `,
			depth > 0 ? 0.15 : 0,
		);
		const body = `select ${maybe(() => "distinct ", 0.1)}${some(() => expression(depth), 3)} from ${from(depth)}${maybe(() => ` where ${expression(depth)}`)}${maybe(() => ` group by ${one(["all", "1", `cube (${some(() => one(columns), 3)})`, expression(depth - 1)])}`, 0.2)}${maybe(() => ` having ${expression(depth - 1)}`, 0.1)}${maybe(() => ` qualify ${expression(depth - 1)}`, 0.05)}${maybe(() => ` order by ${one(["all", "1", expression(depth - 1)])}`, 0.2)}${maybe(() => ` limit ${one(["1", "10%", expression(0)])}`, 0.3)}`;
		return (
			cte +
			body +
			maybe(
				() => ` ${one(["union all", "union by name", "except", "intersect"])} ${select(depth - 1)}`,
				depth > 0 ? 0.1 : 0,
			)
		);
	};
	const rare = (): string =>
		one([
			`describe ${one(tables)}`,
			`summarize ${one(tables)}`,
			`from ${from(1)}`,
			`values (${some(() => expression(1), 3)})`,
			`pivot ${one(tables)} on ${one(columns)} in (1, 'x') using ${called()}(${one(columns)})`,
			`unpivot ${one(tables)} on ${one(columns)} into name n value v`,
			`copy (${select(1)}) to '${file}'`,
			`attach '${file}'`,
			`set ${one(["threads", "memory_limit", "enable_external_access"])} = ${one(literals)}`,
			`pragma ${called()}(${one(literals)})`,
			`${select(1)}; ${select(1)}`,
			`create table t as ${select(1)}`,
			`table ${one(tables)}`,
			`explain ${select(1)}`,
		]);
	/** Some are broken in the middle, as typing slips break them. */
	const broken = (text: string): string => {
		const at = Math.floor(next() * text.length);
		return (
			text.slice(0, at) +
			one(["", "(", ")", "'", '"', "--", "/*", ";", "$1", "\u0000", "é", "\\", "::"]) +
			text.slice(at + Math.floor(next() * 3))
		);
	};
	return () => {
		const text = next() < 0.15 ? rare() : select(1 + Math.floor(next() * 2));
		return (next() < 0.15 ? broken(text) : text).replaceAll("\u0000", "").slice(0, 9_900);
	};
}
