/** Units and meanings of a result's columns, by their names alone. */
import type { Reply } from "#libs/contract/index.ts";
import type { Outcome } from "./child/frames.ts";
import type { Loaded } from "./extracts/extracts.ts";

type Columns = Reply<"runStatement">["meta"]["columns"];

const numeric = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\b.*)$/;

const unitsOfNames: Readonly<Record<string, string>> = {
	mw: "MW",
	kw: "kW",
	gw: "GW",
	mwh: "MWh",
	kwh: "kWh",
	kv: "kV",
	usd: "USD",
	usd_mwh: "USD/MWh",
	usd_per_mwh: "USD/MWh",
	usd_per_mw: "USD/MW",
	usd_per_kw: "USD/kW",
	hours: "hours",
	days: "days",
	years: "years",
	km: "km",
	acres: "acres",
};
/** `mw`, `total_mw` and `total_mw_2`, not `requests_per_mw`. */
const ending = new RegExp(`(?<=^|_)(?<!per_)(${Object.keys(unitsOfNames).join("|")})(_\\d+)?$`);

/**
 * A column that has the name and the type of a column of one view in the statement is described like it. Any other number has the unit
 * that its name ends with.
 */
export function describeColumns(
	{ columns, views: named }: Extract<Outcome, { kind: "answer" }>,
	{ views }: Loaded,
): Columns {
	const inStatement = views.filter((view) =>
		named.some((ref) => ref.database === view.database && ref.name === view.name),
	);
	return columns.map(({ name, type }) => {
		const alike = inStatement.flatMap((view) =>
			view.columns
				.filter((column) => column.name === name && column.type === type)
				.map(({ unit, description }) => ({ unit, source: `${view.database}.${view.name}.${name}`, description })),
		);
		const [column] = alike;
		if (column !== undefined && alike.length === 1) return { name, type, ...column };
		const [, word = ""] = (numeric.test(type) && ending.exec(name.toLowerCase())) || [];
		return { name, type, unit: unitsOfNames[word] ?? null, source: null, description: null };
	});
}
