/** Headlines with their expected classes, and the meaning of the triggers beyond them. */
import { describe, expect, test } from "vitest";
import type { EventType } from "#libs/contract/vocabulary.ts";
import { classify } from "./classify.ts";

const golden: Record<EventType, string[]> = {
	distress: [
		"Pine Gate Renewables files for Chapter 11 bankruptcy protection",
		"Sunnova shares plunge after going-concern warning",
		"Orsted takes $1.7 billion impairment on US portfolio",
		"Solar developer lays off 200 workers, hires restructuring adviser",
		"Developer defaults on construction loan for Texas solar farm",
		"Bankrupt Pine Gate sells 1 GW portfolio to Nofar",
	],
	litigation: [
		"NextEra Energy sued over eagle deaths at wind farms",
		"Judge blocks permit for Savion solar project in Ohio",
		"Neighbors file lawsuit against Apex Clean Energy wind farm",
		"Duke Energy reaches settlement with regulators on rates",
		"Enel North America fined $500,000 over turbine collapse",
	],
	ma: [
		"Google to acquire Intersect Power for $4.75 billion",
		"Clearway buys 613 MW solar portfolio from Deriva",
		"EDP Renewables sells 49% stake in US portfolio to Ares",
		"Constellation completes merger with Calpine",
		"Hecate Energy going public through SPAC deal",
		"Court approves sale of Pine Gate projects to Nofar",
	],
	financing: [
		"Silicon Ranch raises $500 million from AIP Management",
		"Arevon closes $600 million financing for California storage project",
		"Plus Power secures $1.8 billion for five battery sites",
		"Longroad reaches financial close on 400 MW Arizona solar project",
		"Primergy signs tax equity deal with Bank of America",
	],
	project: [
		"Leeward starts construction on 200 MW solar park in Texas",
		"Ranger Power proposes 150 MW solar farm in Michigan",
		"Origis signs PPA with Meta for 240 MW Texas solar",
		"County board approves moratorium on battery storage after Hecate proposal",
		"Invenergy scraps Iowa wind project after county vote",
	],
	mention: [
		"Utility proposes new default service tariff for 2027",
		"Invenergy acquires land for Kansas solar farm",
		"Arevon buys turbines? No, Arevon buys transformers from Hitachi",
		"Vesper Energy raises concerns over Texas grid rule",
		"Lightsource bp wins award for biodiversity plan",
		"AES names new chief operating officer",
		"NextEra CEO: demand growth is accelerating",
		"Pattern Energy donates $1 million to New Mexico schools",
		"Avantus finance chief to step down",
		"Stock: Clearway raises dividend by 2%",
	],
};

/** Invented; what the sheet's words do not name and its classes mean. */
const beyond: Record<EventType, string[]> = {
	distress: [
		"North Sea contractor files for administration",
		"Ministers on alert as supplier scrambles to avert collapse",
		"Wind turbine maker to cut 1,400 jobs",
		"Battery firm ceases all operations",
	],
	litigation: [
		"Spill trial opens in London",
		"Villagers seek damages from oil major",
		"Regulator fines developer £176,000",
		"Court action launched against power plant permit",
		"Contractor files mechanic's lien against solar farm",
	],
	ma: [
		"Developer acquired by pension fund",
		"Utility takes stake in LNG terminal",
		"Fund sells gas plants to rival",
		"Rival wins bid for developer's assets",
		"Owner calls final bids for renewable developer",
		"Cypress Creek Renewables sold to EQT",
		"Terra-Gen's owners explore sale of renewable developer",
		"NRG closes LS Power deal",
		"Vistra completes Energy Harbor transaction",
	],
	financing: [
		"Developer secures refinancing for 300 MW project",
		"Startup completes $20m equity raise",
		"Solar maker eyes $825M IPO",
		"Developer secures funding for hydrogen plant",
		"Utility prices $600 million of senior notes",
		"Arevon nabs $1.1B for Eland project",
		"Treaty Oak transfers $100M in tax credits",
		"Origis sells $50M of 45X tax credits to insurer",
		"Tax credit transfer closed by Silicon Ranch",
		"Longroad Energy closes on 111 MW Sun Pond",
		"Arevon closes tax equity deal",
		"Arevon closes $600 million deal for storage",
		"Avantus closes $300M in financing for battery plant",
	],
	project: [
		"World's largest brick battery turns on in California",
		"Google to restart Iowa nuclear plant",
		"Amazon will buy more power from Oregon solar farms",
		"Developer bags 100 MW solar project",
		"Fully operational: heat storage facility goes live",
		"Concerns over plans for battery storage project",
		"Savion's Ohio solar project denied by siting board",
		"EDF Renewables wins offshore wind lease",
		"Developer wins offshore wind lease for $200 million",
		"Zelestra signs environmental attributes purchase agreement",
		"Residents object to battery storage",
		"Solar farm gets OK",
	],
	mention: [
		"Is Plug Power stock a buy now?",
		"Oil futures settle mixed",
		"Senior excels on the court and in the classroom",
		"Company secures $87M contract for radios",
		"Goodman buys data center site from realty firm",
		"State raises tobacco taxes to finance schools",
		"New solar-powered keyboard on sale",
		"Excess solar power sold to grid",
		"Invenergy snags $20M contract for transformers",
		"Utility closes coal plant in Ohio",
	],
};

const cases = (table: Record<EventType, string[]>): [string, string][] =>
	Object.entries(table).flatMap(([type, titles]) => titles.map((title): [string, string] => [type, title]));

describe("the golden headlines", () => {
	test.each(cases(golden))("%s: %s", (type, title) => {
		expect(classify(title)).toBe(type);
	});
});

describe("headlines in other words", () => {
	test.each(cases(beyond))("%s: %s", (type, title) => {
		expect(classify(title)).toBe(type);
	});
});

test("GDELT's spaces, entities and hyphens make no difference", () => {
	expect(classify("Pine Gate &amp; Co . files for Chapter - 11 protection")).toBe("distress");
	expect(classify("Developer Eyes Take - Private Deal")).toBe("ma");
	expect(classify("Plus Power Secures $1 . 8 Billion for Five Battery Sites")).toBe("financing");
});

test("the name of the outlet is not evidence of an event", () => {
	expect(classify("Utility names new chief - Supreme Court Review")).toBe("mention");
});

test("an empty headline is a mention", () => {
	expect(classify("")).toBe("mention");
});
