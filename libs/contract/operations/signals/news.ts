/** News about developers. */
import { z } from "zod";
import { count, datedPage, named, share, timestamp } from "../../envelopes.ts";
import { afterEvent, eventStreamText, eventStreamType, retainedEventsNote } from "../../events/event.ts";
import { filingRecorded, newsRecorded, ownershipChanged, raiseRecorded } from "../../events/signals.ts";
import { gatewayOperation, signalsOperation } from "../../operation.ts";
import { choice, decimal, flag, integer, isoDate, listParams, refuseTwoSpans, several, words } from "../../params.ts";
import { eventTypes, maEventTypes, matchPlaces, newsSubjects } from "../../vocabulary.ts";

/** A headline and one developer that it names. A headline that names several developers is repeated for each. */
const newsFields = {
	event_type: z.enum(eventTypes),
	title: z.string().describe("Headline"),
	url: z.string(),
	domain: z.string(),
	published_at: timestamp().describe("Time of publication, or when the source first saw it"),
	source: z.string().describe("Name of the news feed"),
	matched_on: z.enum(matchPlaces),
	matched_text: z.string(),
	match_confidence: share().describe("0.9: the name is in the headline"),
	subject: z
		.enum(newsSubjects)
		.describe("Subject of the news: the developer, whose business is in the United States, or its worldwide parent"),
	source_country: z.string().nullable().describe("Country of the publisher"),
	copies: count().describe("Further appearances of the same headline within three days"),
};
/** Days that a list of news covers. */
const newsDays = (defaultDays: number) => ({
	days: integer(1, 365).optional().describe(`Days to look back; ${defaultDays} without since and until`),
	since: isoDate().optional().describe("First day of publication, UTC. Cannot be combined with days"),
	until: isoDate().optional().describe("Last day of publication, UTC. Cannot be combined with days"),
});
const includeParent = () => flag().default(false).describe("Also news of the developers' worldwide parents");
const newsEvent = named("NewsEvent", { developer_canonical: z.string(), ...newsFields });

export const listEvents = signalsOperation({
	summary: "News about developers, classified and matched to them; newest first.",
	params: listParams(
		{
			developer: words().optional().describe("Canonical name, or any part of one, in any case"),
			event_type: choice(eventTypes).optional().describe("Class of the headline"),
			...newsDays(30),
			min_confidence: decimal(0, 1, "fraction").optional().describe("Least match_confidence"),
			include_parent: includeParent(),
		},
		200,
	).superRefine((params, context) => refuseTwoSpans(params, "days", context)),
	reply: datedPage(newsEvent),
	http: { method: "GET", path: "/events", price: "standard" },
	alsoAs: ["atom"],
	example: { event_type: "financing", days: 365 },
	maxAgeMs: 60_000,
	noPast: "Each event has its own day; `days` selects by it.",
});

export const summariseEvents = signalsOperation({
	summary: "News by class, and the developers with the most news.",
	params: z.strictObject({
		developer: words().optional().describe("Canonical name, or any part of one, in any case"),
		days: integer(1, 365).default(30).describe("Days to look back, by publication"),
		include_parent: includeParent(),
	}),
	reply: z.strictObject({
		total_events: count().describe("Total events"),
		days: z.int(),
		by_type: z.array(z.strictObject({ event_type: z.enum(eventTypes), count: count(), developers: count() })),
		top_developers: z.array(
			z.strictObject({
				developer_canonical: z.string(),
				events: count(),
				distress: count().describe("Distress"),
				financing: count().describe("Financing"),
				litigation: count(),
				latest_event: timestamp().describe("Day of the latest event"),
			}),
		),
	}),
	http: { method: "GET", path: "/events/summary", price: "standard" },
	example: { days: 365 },
	maxAgeMs: 60_000,
	noPast: "Each event has its own day; `days` selects by it.",
});

export const listDeveloperEvents = signalsOperation({
	summary: "News about one developer, newest first.",
	params: listParams(
		{
			developer_id: words().describe("Numeric id, or the canonical name"),
			event_type: choice(eventTypes).optional().describe("Class of the headline"),
			...newsDays(90),
			include_parent: includeParent(),
		},
		200,
	).superRefine((params, context) => refuseTwoSpans(params, "days", context)),
	reply: datedPage(z.strictObject(newsFields)).extend({ developer: z.string() }),
	http: { method: "GET", path: "/developers/{developer_id}/events", price: "standard" },
	alsoAs: ["atom"],
	example: { developer_id: "Invenergy", days: 365 },
	maxAgeMs: 60_000,
	noPast: "Each event has its own day; `days` selects by it.",
});

const streamed = [newsRecorded, filingRecorded, raiseRecorded, ownershipChanged] as const;

export const streamEvents = gatewayOperation({
	summary:
		"News, filings, raises and changes of ownership as server-sent events, when they are recorded, matched again or withdrawn. An event may be delivered twice, with the same version.",
	params: z.strictObject({
		after: afterEvent(retainedEventsNote),
		event: several(choice(["news.recorded", "filing.recorded", "raise.recorded", "ownership.changed"]))
			.optional()
			.describe("Names of events; several by comma or repetition"),
		event_type: several(choice([...eventTypes, ...maEventTypes]))
			.optional()
			.describe(
				"Class of the headline, of the filing or of the change of ownership; a raise has none. Several by comma or repetition",
			),
		developer: words()
			.optional()
			.describe("Any part of the canonical name of a developer, buyer or seller, in any case"),
		min_confidence: decimal(0, 1, "fraction")
			.optional()
			.describe("Least match_confidence of a developer in a headline; leaves out other events"),
	}),
	reply: eventStreamText(),
	eventStream: Object.fromEntries(streamed.map(({ name, payload }) => [name, payload])),
	mediaType: eventStreamType,
	http: { method: "GET", path: "/events/stream", price: "standard" },
	example: { event_type: "financing" },
	noPast: "A stream continues into the present; `after` is its start.",
});
