/** Business of a worldwide group abroad says little of its US company. Headlines are invented. */
import { expect, test } from "vitest";
import { createFinder } from "./find-developers.ts";

const company = (id: number, canonical: string, alias: string) => ({
	id,
	canonical,
	ambiguous: false,
	aliases: [{ alias, ambiguous: false }],
});
const finder = createFinder([
	company(1, "ExxonMobil Low Carbon Solutions", "ExxonMobil"),
	company(2, "ENGIE North America", "ENGIE"),
	company(3, "Avangrid", "Iberdrola"),
	company(4, "Equinor US", "Equinor"),
	company(5, "Silicon Ranch", "Silicon Ranch Corporation"),
]);
const confidenceOf = (title: string, url = "") =>
	finder.find({ title, url, domain: "", organizations: ["engie"], snippet: null })[0]?.confidence;

test.each([
	"ExxonMobil signs exploration deal in Gabon",
	"Engie builds battery in Italy",
	"Iberdrola opens Spanish wind farm",
	"Equinor sells stake in Brazil",
	"Equinor wins South African acreage",
	"Equinor asks us to wait in Norway",
])("0.5: %s", (title) => {
	expect(confidenceOf(title)).toBe(0.5);
});

test.each([
	"ExxonMobil plans carbon storage in Texas",
	"Engie buys US solar farm from Italian rival",
	"Engie buys U.S. solar farm from Italian rival",
	"Iberdrola builds in New Mexico",
	"Equinor drills in the Gulf of Mexico",
	"Equinor names chief",
	"Silicon Ranch hires chief from Canada",
	"Avangrid hires chief from Spain",
])("0.9: %s", (title) => {
	expect(confidenceOf(title)).toBe(0.9);
});

test("a URL or list that repeats the name does not add weight", () => {
	const [found] = finder.find({
		title: "Italy gets battery",
		url: "https://x.com/engie-builds-battery",
		domain: "",
		organizations: ["engie"],
		snippet: null,
	});
	expect(found).toMatchObject({ matchedOn: "url", confidence: 0.5 });
});
