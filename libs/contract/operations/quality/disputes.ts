/** Disputes about values, and their decisions. */
import { z } from "zod";
import { named, timestamp } from "../../envelopes.ts";
import { gatewayOperation, queueIngestOperation } from "../../operation.ts";
import { choice, integer, isoDate, refuse, words } from "../../params.ts";
import { project } from "../../records/project.ts";
import { disputeStates, disputeSubjects } from "../../vocabulary.ts";
import { developerId, identifier } from "../developers/developer.ts";

const httpsOnly = "must be an address that begins with https://, without a name or a password";

const evidenceUrl = () =>
	words(1, 500)
		.refine((text) => isHttps(text), httpsOnly)
		.meta({ examples: ["https://www.eia.gov/electricity/data/eia860/"] })
		.describe("Address (https) of a page that supports the dispute");

function isHttps(text: string): boolean {
	const url = URL.parse(text);
	return url?.protocol === "https:" && url.username === "" && url.password === "";
}

const fieldNames = Object.keys(project.shape) as [string, ...string[]];

const subject = {
	about: choice(disputeSubjects).describe(
		"project_field: a field of a request. developer_link: who is behind a request. identifier: a number of a developer. ownership: who owns the plant of a request",
	),
	project_id: words(1, 100).optional().describe("The request; for project_field, developer_link and ownership"),
	field: choice(fieldNames).optional().describe("For project_field: the field, as /projects names it"),
	as_of: isoDate()
		.optional()
		.describe("For project_field and developer_link: the day whose value is disputed; the current value when absent"),
	developer_id: developerId().optional().describe("For identifier: the developer, by number or canonical name"),
	identifier: identifier()
		.optional()
		.describe("For identifier: the wrong number, such as cik:1326160; absent if a number is missing"),
	proposed: words(1, 200).optional().describe("The correct value; for a missing identifier, the number itself"),
	reason: words(10, 2_000).describe("The reason, at least ten characters"),
	evidence_url: evidenceUrl(),
};

type Subject = z.output<z.ZodObject<typeof subject>>;

const required: Record<(typeof disputeSubjects)[number], (keyof Subject)[]> = {
	project_field: ["project_id", "field"],
	developer_link: ["project_id"],
	identifier: ["developer_id"],
	ownership: ["project_id"],
};
const optional: Partial<Record<(typeof disputeSubjects)[number], (keyof Subject)[]>> = {
	project_field: ["as_of"],
	developer_link: ["as_of"],
	identifier: ["identifier"],
};

function checkSubject(given: Subject, context: z.RefinementCtx): void {
	const { about, proposed } = given;
	const wanted = required[about];
	for (const name of wanted) if (given[name] === undefined) refuse(context, name, `is needed with about=${about}`);
	for (const name of ["project_id", "field", "as_of", "developer_id", "identifier"] as const)
		if (given[name] !== undefined && !wanted.includes(name) && !optional[about]?.includes(name))
			refuse(context, name, `cannot be combined with about=${about}`);
	if (about === "identifier" && given.identifier === undefined && !identifier().safeParse(proposed).success)
		refuse(context, "proposed", "must be the missing number, such as cik:1326160, if identifier is absent");
}

const dispute = named("Dispute", {
	dispute_id: z.int().describe("Number of the dispute"),
	state: z.enum(disputeStates),
	about: z.enum(disputeSubjects).describe("Subject of the dispute"),
	project_id: z.string().nullable(),
	field: z.string().nullable(),
	developer_id: z.int().nullable(),
	identifier: z.string().nullable(),
	stated: z
		.string()
		.nullable()
		.describe(
			"The disputed value when the dispute was opened; with as_of including the day, as in `80 (as of 2025-01-23)`",
		),
	opened_at: timestamp().describe("Time of filing"),
	settled_at: timestamp().nullable(),
	decision: z.string().nullable().describe("Reason for accepting or refusing it; null while it is open"),
});

export const openDispute = gatewayOperation({
	summary: "Disputes a value, with evidence; a person reviews it. Limited by account and by address.",
	params: z.strictObject(subject).superRefine(checkSubject),
	reply: dispute,
	http: { method: "POST", path: "/disputes", price: "free", perMinute: 10, looksUp: true },
	example: {
		about: "identifier",
		developer_id: "Invenergy",
		proposed: "eia_utility:49893",
		reason: "The number is that of Invenergy Services LLC in form EIA-860.",
		evidence_url: "https://www.eia.gov/electricity/data/eia860/",
	},
});

export const getDispute = queueIngestOperation({
	summary:
		"State of a dispute: open, accepted or refused, with the reason. Only reviewers see what its author wrote; the link is shown with a resulting correction.",
	params: z.strictObject({
		dispute_id: integer(1).describe("Number of the dispute, from the response that opened it"),
	}),
	reply: dispute,
	http: { method: "GET", path: "/disputes/{dispute_id}", price: "free" },
	example: { dispute_id: 1 },
});

export const recordDispute = queueIngestOperation({
	summary:
		"Records a dispute of an account or an address: bus-only. 404 if its subject does not exist, 429 above the limits.",
	params: z.strictObject({ ...subject, filer: z.string().min(1).max(100) }),
	reply: dispute,
});
