/**
 * The months before Pine Gate Renewables filed, as queues and news would have shown them: layoffs at the sister
 * company in September 2025, talks on its debt reported on 2025-09-26, bids due on 2025-10-31, Chapter 11 on 2025-11-06 (Bankr.
 * S.D. Tex. 25-90669). It was private: there is no 8-K. The days are real; headlines and outlets are invented,
 * and so are the older headlines and the counts of the queue, which stand for a developer with more withdrawn and late than peers.
 */
import type { EventType } from "#libs/contract/vocabulary.ts";
import type { DeveloperCounts } from "../../../services/scoring/domain/developers/counts.ts";
import { noCounts } from "./random-counts.ts";

export interface Headline {
	/** Day it was published. */
	on: string;
	title: string;
	domain: string;
	type: EventType;
	/** Confidence that the headline is about Pine Gate. */
	confidence: number;
}

/** Requests as the queues would have listed them all through 2025; no interconnection costs and no Form D are known. */
export const pineGateQueue: DeveloperCounts = {
	...noCounts,
	...{ active: 90, dated: 88, behind: 58, codSlipped: 41, stuck: 12, operational: 20, withdrawn: 390 },
	...{ operationalMw: 1800, activeMw: 14_000 },
	lateAndConstruction: [
		{ technology: "Solar", mw: 600 },
		{ technology: "Solar + Storage", mw: 400 },
	],
};

const headline = (on: string, domain: string, type: EventType, title: string, confidence = 0.9): Headline => ({
	...{ on, title, domain, type, confidence },
});

export const pineGateHeadlines: readonly Headline[] = [
	headline(
		"2024-02-13",
		"grid.example",
		"financing",
		"Pine Gate Renewables closes $300 million financing for Texas solar",
	),
	headline(
		"2024-05-21",
		"sun.example",
		"project",
		"Pine Gate starts construction on 200 MW solar farm in South Carolina",
	),
	headline("2024-08-08", "grid.example", "project", "Pine Gate signs PPA for 150 MW solar project"),
	headline("2024-10-02", "power.example", "financing", "Pine Gate Renewables lands tax equity for two solar farms"),
	headline("2025-01-16", "sun.example", "mention", "Pine Gate names new chief development officer"),
	headline("2025-04-30", "power.example", "project", "Pine Gate solar and storage project comes online in Oregon"),
	headline(
		"2025-09-10",
		"carolina.example",
		"distress",
		"Blue Ridge Power, sister of Pine Gate, lays off hundreds",
		0.75,
	),
	headline("2025-09-26", "power.example", "distress", "Pine Gate in debt talks with lenders, could seek bankruptcy"),
	headline("2025-10-07", "grid.example", "litigation", "Contractor files lien over unpaid bills at Pine Gate project"),
	headline("2025-10-14", "power.example", "ma", "Pine Gate Renewables seeks buyers as bids fall due"),
	headline("2025-10-31", "sun.example", "distress", "Pine Gate nears Chapter 11 filing as bids come in"),
	headline(
		"2025-11-06",
		"power.example",
		"distress",
		"Pine Gate Renewables files for Chapter 11 bankruptcy protection",
	),
	headline("2025-11-06", "www.carolina.example", "distress", "Asheville's Pine Gate files for bankruptcy in Texas"),
	headline(
		"2025-11-07",
		"grid.example",
		"distress",
		"Solar developer Pine Gate files for Chapter 11 with $7 billion owed",
	),
	headline("2025-12-11", "grid.example", "ma", "Court approves sale of Pine Gate projects to Nofar"),
];
