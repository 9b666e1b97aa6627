/** Gaps in the lists on the chosen days, as a sentence. */

type Coverage = Readonly<Record<string, string | null>>;

/** Days on which something happened, as lists show it. A projected operation lies after the list. */
const happened = ["date", "ia", "withdrawn"] as const;

/**
 * A sentence for all operators whose newest list is of the same day, if it is before the last of the chosen days; a date to come counts as
 * today. Empty if the lists cover them.
 */
export function uncovered(
	coverage: Coverage | undefined,
	filters: Readonly<Record<string, string | undefined>>,
	today: string,
): string {
	const { region, iso = region, updated_since = "" } = filters;
	const chosen = iso?.split(",");
	const lists = Object.entries(coverage ?? {}).filter(([name]) => chosen?.includes(name) ?? true);
	const ends = happened.map((name) => {
		const to = filters[`${name}_to`];
		return to === undefined ? filters[`${name}_from`] : to < today ? to : today;
	});
	const [last = ""] = [...ends, updated_since]
		.filter((day) => day !== undefined)
		.toSorted()
		.toReversed();
	const missing = lists.flatMap(([name, day]) => (day === null ? [name] : []));
	const older = Map.groupBy(
		lists.filter(([, day]) => day !== null && day < last),
		([, day]) => day,
	);
	return [
		missing.length > 0 && `No list of ${missing.join(", ")} was loaded of that day or before.`,
		...[...older].map(([day, of]) => `${of.map(([name]) => name).join(", ")}: no list since ${day}.`),
		older.size > 0 && "What happened later is not known.",
	]
		.filter((sentence) => sentence !== false)
		.join(" ");
}
