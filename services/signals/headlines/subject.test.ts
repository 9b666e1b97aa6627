/** The subject of a headline: headlines by hand, and every real one that names a worldwide group, read by a person. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readSeed } from "#libs/names/seed.ts";
import { readNews } from "../news/sources/read-news.ts";
import { createFinder } from "./find-developers.ts";
import { isWorldwideName } from "./worldwide-groups.ts";

const finder = createFinder(readSeed().map((developer, id) => ({ id, ...developer })));

const subjects = (title: string, url = "") =>
	finder.find({ title, url, domain: "", organizations: [], snippet: null }).map(({ subject }) => subject);

describe("us_business", () => {
	test.each([
		"Meta, Engie ink 600MW solar PV PPA in Texas",
		"Shell US chief says Trump halting of wind projects harms investment: report",
		"Equinor's wind farm off New York is halted",
		"ExxonMobil plans hydrogen plant in Texas",
		"TotalEnergies Renewables USA files for Chapter 11",
		"Google and NextEra to revive major Iowa nuclear facility",
		"KKR closes fund",
	])("%s", (title) => {
		expect(subjects(title)).toContain("us_business");
		expect(subjects(title)).not.toContain("parent");
	});
});

describe("parent", () => {
	test.each([
		"ExxonMobil to cut 2,000 jobs worldwide amid restructuring plans",
		"Exxon sues California over climate disclosure laws",
		"Court blocks TotalEnergies oil exploration from Cape Agulhas to Cape Town",
		"TotalEnergies Sells 50% of 270 MW French Renewables Portfolio",
		"Exxon Will Benefit Most from South America's Newest Battery",
		"Equinor drills in the Gulf of Mexico",
		"KKR and Canadian pension plan circle solar developer",
		"EDF Renewables Texas",
		"NextEra Energy, Inc. (NEE): A Bull Case Theory",
		"NextEra Energy wins approval for higher Florida rates",
		"BlackRock Inc. names a new head of equities",
		"KKR-backed Serentica to buy Statkraft solar power business for Rs 1,942 cr",
	])("%s", (title) => {
		expect(subjects(title)).toContain("parent");
		expect(subjects(title)).not.toContain("us_business");
	});

	test("a URL alone is not evidence of the US company", () => {
		expect(subjects("Texas gets a battery", "https://x.com/exxonmobil-and-the-battery")).toEqual(["parent"]);
	});
});

const news = resolve(process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data"), "news");
const files = ["gdelt_artlist_2026-03_civic-lenses.csv", "gdelt_artlist_companies_2025_kylie-l.csv"];
const missing = files.some((file) => !existsSync(resolve(news, file)));
if (missing) console.warn(`Tests on real headlines skipped: ${news} is not whole (set REAL_DATA_DIR).`);

/** Real headlines of a group's US business begin like this; all others, read one by one, are not about it. */
const ofUsBusiness = [
	"Meta, Engie ink 600MW",
	"Iberdrola To Supply Clean Electricity To Amazon In Oregon",
	"Mega deal 1,25",
	"I Squared and LCI enter clean power",
	"ExxonMobil Baytown Plant",
	"Shell US chief says Trump",
	"Lightsource bp and Pinnacle Financial Partners",
	"Brookfield Asset Management Ltd: Brookfield Raises",
	"Google strikes world-record energy deal",
];

describe.skipIf(missing)("real headlines that name a worldwide group", () => {
	test("news of the US business is recognised, and hardly any is missed", { timeout: 60_000 }, async () => {
		const judged = new Map<string, { isUs: boolean; found: string }>();
		for (const name of files) {
			const { records } = await readNews({ name, bytes: readFileSync(resolve(news, name)) });
			for (const article of records)
				for (const { canonical, matchedText, subject } of finder.find(article))
					if (isWorldwideName(matchedText))
						judged.set(`${article.title.toLowerCase().replaceAll(/\W+/g, " ")} ${canonical}`, {
							isUs: ofUsBusiness.some((start) => article.title.startsWith(start)),
							found: subject,
						});
		}
		const count = (isUs: boolean, found: string) =>
			[...judged.values()].filter((one) => one.isUs === isUs && one.found === found).length;
		const right = { us_business: count(true, "us_business"), parent: count(false, "parent") };
		const wrong = { us_business: count(false, "us_business"), parent: count(true, "parent") };
		console.warn(
			`${judged.size} real headlines of groups: right ${JSON.stringify(right)}, wrong ${JSON.stringify(wrong)}`,
		);
		expect(judged.size).toBeGreaterThan(100);
		expect(right.parent / (right.parent + wrong.parent)).toBeGreaterThanOrEqual(0.97);
		expect(right.us_business).toBeGreaterThan(wrong.us_business);
		expect(wrong.us_business).toBeLessThanOrEqual(0.03 * judged.size);
	});
});
