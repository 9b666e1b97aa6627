/** How many hours batteries of a state run at full power, because a request states MW and no MWh. Pure. */

/** Year in service, actual or planned; median of MWh/MW; number of batteries. */
type Median = readonly [year: number, hours: number, batteries: number];

const edition = "EIA-860 of 2024";
/** Sheets Operable and Proposed: batteries of 5 MW and more, where a state has five of a year. */
// biome-ignore format: a row a state
const medians = new Map<string, readonly Median[]>(Object.entries({
	AZ: [[2023, 3, 16], [2024, 4, 11], [2025, 4, 19], [2026, 4, 9], [2027, 4, 7]],
	CA: [[2023, 4, 28], [2024, 4, 46], [2025, 4, 48], [2026, 4, 33], [2027, 4, 12], [2028, 4, 8]],
	CO: [[2024, 4, 9]],
	GA: [[2026, 4, 5]],
	HI: [[2026, 3, 6]],
	ID: [[2025, 4, 5]],
	MA: [[2025, 2.2, 6]],
	NC: [[2024, 2, 12]],
	NM: [[2025, 4, 6]],
	NV: [[2025, 4, 6]],
	NY: [[2025, 4.3, 7], [2027, 4, 5], [2028, 4, 5]],
	TX: [[2023, 1, 29], [2024, 1, 49], [2025, 2, 59], [2026, 2, 55], [2027, 2, 52], [2028, 2, 19]],
}));
// biome-ignore format: one row
const national: readonly Median[] = [[2023, 2, 100], [2024, 2.1, 153], [2025, 2.5, 182], [2026, 4, 139], [2027, 4, 103], [2028, 4, 58]];

/** By the newest year up to that of service, else the first; the whole country's where too few batteries of the state are reported. */
export function storageHours(state: string | null, year: number): { hours: number; source: string } {
	const known = medians.get(state ?? "");
	const rows = known ?? national;
	const row = rows.findLast(([of]) => of <= year) ?? rows[0];
	if (row === undefined) throw new RangeError("a state has no medians");
	const [of, hours, batteries] = row;
	const where = known === undefined ? "the United States" : state;
	return { hours, source: `the median of ${batteries} batteries of ${of} in ${where} (${edition})` };
}
