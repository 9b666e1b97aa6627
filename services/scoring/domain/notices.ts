/** The IRS notices that list energy communities, oldest first. Add the next one, expected in June 2027, here. */

export interface Notice {
	notice: string;
	validFrom: string;
	publishedOn: string;
	/** Appendix with the qualifying counties; null if none is published as a plain list. */
	countyAppendix: string | null;
	/** Year of the unemployment rates in Treasury's workbook; null if there is no workbook. */
	unemploymentYear: number | null;
	/** Version of Treasury's cumulative workbook of coal-closure tracts (EC_CC_V5). */
	coalVersion: number | null;
	/** Number of counties that qualify by statistical area, against which files are checked. */
	counties: number | null;
	/** Number of listed tracts, against which files are checked. */
	coalTracts: number | null;
}

const unknown = { countyAppendix: null, unemploymentYear: null, coalVersion: null, counties: null, coalTracts: null };

export const notices: readonly Notice[] = [
	{
		...unknown,
		notice: "2023-47",
		validFrom: "2023-01-01",
		publishedOn: "2023-06-15",
		countyAppendix: "2",
		counties: 843,
	},
	// 2024-30 added counties to the same period when it included pipelines (NAICS 4861 and 4862).
	{ ...unknown, notice: "2023-47 + 2024-30", validFrom: "2023-01-01", publishedOn: "2024-03-22", counties: 965 },
	{
		...unknown,
		notice: "2024-48",
		validFrom: "2024-06-07",
		publishedOn: "2024-06-07",
		countyAppendix: "1",
		counties: 901,
		coalTracts: 4325,
	},
	{ ...unknown, notice: "2025-31", validFrom: "2025-06-23", publishedOn: "2025-06-23", unemploymentYear: 2024 },
	{
		notice: "2026-39",
		validFrom: "2026-06-10",
		publishedOn: "2026-06-10",
		countyAppendix: "1",
		unemploymentYear: 2025,
		coalVersion: 5,
		counties: 867,
		coalTracts: 4477,
	},
];

export function findNotice(name: string): Notice | undefined {
	return notices.find(({ notice }) => notice === name);
}

/** Returns the newest known notice if it is newer than the named one, otherwise null. */
export function findNewerNotice(name: string, validFrom: string): string | null {
	const newest = notices.at(-1);
	return newest !== undefined && newest.notice !== name && newest.validFrom > validFrom ? newest.notice : null;
}
