import { z } from "zod";
import { count, day, flatPage, megawatts } from "../envelopes.ts";
import { operation } from "../operation.ts";
import { choice, cursor, integer, walked, words } from "../params.ts";
import { changeTypes, regions } from "../vocabulary.ts";
import { change } from "./change.ts";
import { region } from "./project.ts";

export const listChanges = operation({
	owner: "queue-ingest",
	summary: "What changed in the queues, newest first.",
	params: z
		.strictObject({
			since_days: integer(1, 90).default(1).describe("How many days back, by the time of the snapshot"),
			region: region().optional().describe("Grid operator"),
			change_type: choice(changeTypes).optional().describe("Kind of change"),
			developer: words().optional().describe("Any part of the developer's name on the current record, in any case"),
			page: integer(1).default(1).describe("Page, from 1"),
			per_page: integer(1, 500).default(100).describe("Rows a page"),
			cursor: cursor()
				.optional()
				.describe(
					"`*` begins a walk through all pages of what has changed by now, whatever is added meanwhile; then the `next_cursor` of the page before, with the same filters. It does not expire; with `developer` a walk may take nine minutes, and a later cursor is a 410 once the data has changed",
				),
		})
		.superRefine(walked),
	reply: flatPage(change),
	http: { method: "GET", path: "/changes", price: "standard" },
	example: { since_days: 7, change_type: "status_change" },
	maxAgeMs: 60_000,
});

const withdrawal = { withdrawn: count(), withdrawn_mw: megawatts() };

export const summariseChanges = operation({
	owner: "queue-ingest",
	summary: "Changes by day, withdrawals and new requests by region, and who withdrew most.",
	params: z.strictObject({
		since_days: integer(1, 90).default(7).describe("How many days back, by the time of the snapshot"),
	}),
	reply: z.strictObject({
		since_days: z.int(),
		by_day: z.array(z.strictObject({ day: day(), change_type: z.enum(changeTypes), count: count() })),
		withdrawals_by_region: z.array(z.strictObject({ region: z.enum(regions), ...withdrawal })),
		top_withdrawing_developers: z.array(z.strictObject({ developer: z.string(), ...withdrawal })),
		new_entries_by_region: z.array(
			z.strictObject({ region: z.enum(regions), new_projects: count(), new_mw: megawatts() }),
		),
	}),
	http: { method: "GET", path: "/changes/summary", price: "standard" },
	example: { since_days: 30 },
	maxAgeMs: 60_000,
});
