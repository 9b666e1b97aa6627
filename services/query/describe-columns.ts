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
/** Matches `mw`, `total_mw` and `total_mw_2`, not `requests_per_mw`. */
const unitSuffix = new RegExp(`(?<=^|_)(?<!per_)(${Object.keys(unitsOfNames).join("|")})(_\\d+)?$`);

/**
 * A column is described like the column with its name and type in a view of the statement, if only one view has such a column. Any other
 * number has the unit that its name ends with.
 */
export function describeColumns(
	{ columns, views: namedViews }: Extract<Outcome, { kind: "answer" }>,
	{ views }: Loaded,
): Columns {
	const inStatement = views.filter((view) =>
		namedViews.some((ref) => ref.database === view.database && ref.name === view.name),
	);
	return columns.map(({ name, type }) => {
		const matches = inStatement.flatMap((view) =>
			view.columns
				.filter((column) => column.name === name && column.type === type)
				.map(({ unit, description }) => ({ unit, source: `${view.database}.${view.name}.${name}`, description })),
		);
		const [column] = matches;
		if (column !== undefined && matches.length === 1) return { name, type, ...column };
		const [, suffix = ""] = (numeric.test(type) && unitSuffix.exec(name.toLowerCase())) || [];
		return { name, type, unit: unitsOfNames[suffix] ?? null, source: null, description: null };
	});
}
