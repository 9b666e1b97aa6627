/** Prompts for common questions: which tools to call, and what a good answer contains. */
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { regions } from "#libs/contract/vocabulary.ts";

interface Question {
	name: string;
	title: string;
	description: string;
	arguments: Record<string, { description: string; required: boolean }>;
	/** The prompt. `quoted` returns an argument in quotation marks; undefined if it was not given. */
	text(quoted: (name: string) => string | undefined): string;
}

const maxArgumentCharacters = 200;

const required = (description: string) => ({ description, required: true });
const optional = (description: string) => ({ description, required: false });

const standards =
	"Give project ids, the operator's own status and the date of its list with each fact, say what is unknown or not filed instead of guessing, and never add up rows across pages that you did not read.";

const questions: Question[] = [
	{
		name: "what_changed",
		title: "What changed in a region",
		description: "New requests, withdrawals and moved dates in one grid operator's queue over the last days.",
		arguments: {
			region: required(`Grid operator: ${regions.join(", ")}`),
			days: optional("How many days back, 1 to 90; a week when absent"),
		},
		text: (quoted) =>
			`What changed in the interconnection queue of ${quoted("region")} in the last ${quoted("days") ?? '"7"'} days? ` +
			"Call summarise_changes for the totals and list_changes (region, since_days; one call for each change_type that matters, " +
			"further pages where meta says so) for the rows. Group them: new, withdrawn, completed, capacity, date and developer changes. " +
			"Name the largest by MW, say which counties and technologies they are in, and end with what to watch next.",
	},
	{
		name: "developer_due_diligence",
		title: "Due diligence on a developer",
		description:
			"A developer's pipeline, track record, capital, filings and news, with what speaks for and against it.",
		arguments: { developer: required("Name of the company") },
		text: (quoted) =>
			`Make a due diligence note on the developer ${quoted("developer")}. Find it with search_developers and say which match you take. ` +
			"Then: get_developer and list_developer_projects (pipeline by region, technology and stage; completed against withdrawn), " +
			"get_developer_capital and list_capital_raises (what was raised, from which filings), list_developer_events, " +
			"list_material_events and list_ma_events (distress, litigation, ownership). " +
			"Separate what is filed from what the press says, and weigh strengths and risks.",
	},
	{
		name: "shortlist_projects",
		title: "Shortlist of investable projects",
		description: "The most investable active requests in a state, with the reasons of their scores.",
		arguments: {
			state: required("State, two letters"),
			technology: optional("Technology, such as Solar or Storage"),
			min_mw: optional("Least capacity (MW)"),
		},
		text: (quoted) =>
			`Shortlist the ten most investable projects in ${quoted("state")}` +
			`${quoted("technology") === undefined ? "" : `, technology ${quoted("technology")}`}` +
			`${quoted("min_mw") === undefined ? "" : `, of at least ${quoted("min_mw")} MW`}. ` +
			"Call list_investable with these filters, then get_score for each that you keep (components, grade, what is missing) and " +
			"get_project for its milestones. Make a table: id, name, developer, MW, county, study phase, expected date, score, the strongest " +
			"and the weakest component. Say what the score does not know.",
	},
	{
		name: "estimate_tax_credit",
		title: "Tax credit of a planned plant",
		description: "Federal investment or production tax credit of a plant, by the law of the day.",
		arguments: {
			technology: required("Technology, such as Solar, Wind or Battery"),
			capacity_mw: required("Capacity (MW AC)"),
			state: required("State, two letters"),
			county: optional("County, by name or five-digit FIPS code"),
			cod_year: optional("Year placed in service"),
			construction_start: optional("Year or day on which construction begins"),
		},
		text: (quoted) =>
			"Which federal tax credit can this plant claim? " +
			`${["technology", "capacity_mw", "state", "county", "cod_year", "construction_start"]
				.flatMap((name) => (quoted(name) === undefined ? [] : [`${name} ${quoted(name)}`]))
				.join(", ")}. ` +
			"Call calculate_tax_credits, once for the ITC and once for the PTC where both are open. State base rate, adders, end dates and the " +
			"effective rate, repeat every warning and assumption, cite the law that the answer cites, and say that it is no tax advice.",
	},
	{
		name: "project_status",
		title: "Status of one project",
		description: "How far one request has come, what happened to it and who is behind it.",
		arguments: {
			project: required("Id (PJM-AE1-001), queue number, or name of the project"),
			region: optional(`Grid operator, if several use the same number: ${regions.join(", ")}`),
		},
		text: (quoted) =>
			`What is the status of the project ${quoted("project")}${quoted("region") === undefined ? "" : ` in ${quoted("region")}`}? ` +
			"Call get_project with an id or queue number, or search first with a name and say which match you take. Add get_score, get_ownership " +
			"once it is in operation, and list_changes for what happened lately. Tell it as a timeline: requested, studied, agreement, " +
			"construction, in service or withdrawn, and what is still missing.",
	},
	{
		name: "compare_operators",
		title: "Compare grid operators",
		description: "How the queues of several grid operators differ in size, pace and completeness.",
		arguments: { operators: optional(`Grid operators, separated by commas; all when absent: ${regions.join(", ")}`) },
		text: (quoted) =>
			`Compare the interconnection queues of ${quoted("operators") ?? "all grid operators"}. ` +
			"Call get_stats for totals and summarise_milestones for how far requests have come; run_query over the view active_requests of the database master can group by " +
			"region what these do not (get_query_schema lists the columns). Compare active MW by technology, withdrawal share, time since the " +
			"request, and how complete each operator's list is (get_source_freshness): a difference in publishing is not a difference in fact.",
	},
];

const byName = new Map(questions.map((question) => [question.name, question]));

export const prompts: Prompt[] = questions.map(({ name, title, description, arguments: declaredArguments }) => ({
	name,
	title,
	description,
	arguments: Object.entries(declaredArguments).map(([argument, declared]) => ({ name: argument, ...declared })),
}));

/** @throws ProtocolError for an unknown prompt, or an argument that is missing, unknown or too long */
export function getPrompt(name: string, given: Record<string, string> = {}): GetPromptResult {
	const question = byName.get(name);
	if (question === undefined)
		throw invalid(`there is no prompt ${JSON.stringify(name.slice(0, maxArgumentCharacters))}`);
	for (const [argument, { required }] of Object.entries(question.arguments))
		if (required && (given[argument] ?? "").trim() === "") throw invalid(`${argument}: is required`);
	for (const [argument, value] of Object.entries(given)) {
		if (!Object.hasOwn(question.arguments, argument)) throw invalid(`${argument}: is not an argument of ${name}`);
		if (value.length > maxArgumentCharacters)
			throw invalid(`${argument}: must have at most ${maxArgumentCharacters} characters`);
	}
	// Quoted, so that the model reads it as a value and not as an instruction.
	const quoted = (argument: string) => (given[argument]?.trim() ? JSON.stringify(given[argument].trim()) : undefined);
	return {
		description: question.description,
		messages: [{ role: "user", content: { type: "text", text: `${question.text(quoted)} ${standards}` } }],
	};
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
