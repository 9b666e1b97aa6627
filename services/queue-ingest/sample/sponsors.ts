/**
 * The developers of the sample, all invented: known as long as it is loaded, so that the companies of its projects are recognised like
 * those of real ones. No real company may be named in an invented filing, deal or headline.
 */
import type { SeedDeveloper } from "#libs/names/seed.ts";

const sponsor = (
	canonical: string,
	prefix: string,
	tier: SeedDeveloper["tier"],
	headquarters: string,
): SeedDeveloper => ({
	canonical,
	ambiguous: false,
	aliases: [],
	prefixes: [prefix],
	tier,
	headquarters,
	parent: "private",
	certainty: "K",
	contactPublished: false,
});

export const sponsors: readonly SeedDeveloper[] = [
	sponsor("Alder Grove Renewables", "Alder Grove", "mid_platform", "CO"),
	sponsor("Quillback Harbor Energy Partners", "Quillback Harbor", "mid_platform", "MA"),
	sponsor("Sedgewater Flats Clean Energy", "Sedgewater Flats", "independent", "TX"),
	sponsor("Merrowstone Infrastructure Partners", "Merrowstone", "pe_fund", "NY"),
];
