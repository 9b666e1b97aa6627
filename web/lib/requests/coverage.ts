/** Describes gaps in the lists on the selected days. */

/** Days on which something happened, as lists show it. A projected operation lies after the list. */
const happened = ["date", "ia", "withdrawn"] as const;

/** Returns a sentence about operators whose newest list is older than the last selected day, grouped by the day of the list. Empty if none is. */
export function coverageGapText(
	coverage: Readonly<Record<string, string | null>> | undefined,
	filters: Readonly<Record<string, string | undefined>>,
	today: string,
): string {
	const { region, iso = region, updated_since, as_of } = filters;
	const chosen = iso?.split(",");
	const lists = Object.entries(coverage ?? {}).filter(([name]) => chosen?.includes(name) ?? true);
	const ends = happened.flatMap((name) => {
		const { [`${name}_from`]: from, [`${name}_to`]: to } = filters;
		return from === undefined && to === undefined ? [] : [to ?? today];
	});
	if (updated_since !== undefined) ends.push(today);
	const [last = ""] = [ends.toSorted().at(-1) ?? "", as_of ?? today].toSorted();
	const missing = lists.flatMap(([name, day]) => (day === null ? [name] : []));
	const older = Map.groupBy(
		lists.filter(([, day]) => day !== null && day < last),
		([, day]) => day,
	);
	return [
		missing.length > 0 &&
			`No list of ${missing.join(", ")} is loaded${as_of === undefined ? "" : ` of ${as_of} or before`}.`,
		...[...older].map(([day, of]) => {
			const names = of.map(([name]) => name).join(", ");
			return `${names}: no list ${as_of === undefined ? `since ${day}` : `between ${day} and ${as_of}`}.`;
		}),
		older.size > 0 && "What happened later is not known.",
	]
		.filter((sentence) => sentence !== false)
		.join(" ");
}
