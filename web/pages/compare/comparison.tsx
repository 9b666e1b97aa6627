import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { useRead } from "../../lib/api/use-read.tsx";
import { type Column, Table } from "../../lib/elements/table.tsx";
import { plantLabel, stageLabel } from "../../lib/requests/labels.ts";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { count, counted, dollars, labelOf, percent, power, safeText, tenthsOfPercent } from "../../lib/text/format.ts";

type Project = Reply<"listProjects">["data"][number];
type Waiting = Reply<"getPoi">["waiting"][number];

interface Fact {
	name: string;
	/** The fact as text; null if no source has it. */
	text(project: Project): string | null;
}

/** A fact shown as filedFact. */
const filedFact = (name: string, field: keyof Project): Fact => ({
	name,
	text: (project) => (project[field] === null ? null : safeText(String(project[field]), 120)),
});

/** A fact that is one of the API's codedFact values. */
const codedFact = (name: string, field: keyof Project): Fact => ({
	name,
	text: (project) => (project[field] === null ? null : labelOf(String(project[field]))),
});

const numericFact = (name: string, field: keyof Project, write: (value: number) => string): Fact => ({
	name,
	text: (project) => (project[field] === null ? null : write(Number(project[field]))),
});

const notApplicable = "–";

/** A fact that applies onlyWithStatus to requests with these statuses. */
const onlyWithStatus = (statuses: readonly string[], { name, text }: Fact): Fact => ({
	name,
	text: (project) => (statuses.includes(project.status_std) ? text(project) : notApplicable),
});

/** The facts that matter to a lender, the most important first. */
const facts: Fact[] = [
	codedFact("Status", "status_std"),
	onlyWithStatus(["Active", "Suspended"], numericFact("Chance in 36 months", "p_cod_36", percent)),
	onlyWithStatus(["Active", "Suspended"], numericFact("Score (of 100)", "investability_score", count)),
	filedFact("Projected operation", "cod"),
	onlyWithStatus(["Operational"], filedFact("In operation since", "actual_cod")),
	onlyWithStatus(["Withdrawn"], filedFact("Withdrawn", "withdrawn_date")),
	numericFact("Capacity", "capacity_mw", power),
	codedFact("Technology", "type_std"),
	filedFact("In the queue since", "queue_date"),
	codedFact("Study phase", "study_phase"),
	codedFact("Agreement", "ia_status"),
	filedFact("Agreement signed", "ia_date"),
	{
		name: "Stage",
		text: ({ construction_stage, study_phase }) => stageLabel(construction_stage, study_phase),
	},
	{ name: "At the site", text: ({ plant_state }) => plantLabel(plant_state) },
	{
		name: "Developer",
		text: ({ developer_canonical, developer }) => {
			const name = developer_canonical ?? developer;
			return name === null ? null : safeText(name, 80);
		},
	},
	codedFact("Tier of the developer", "developer_tier"),
	filedFact("Grid operator", "region"),
	{
		name: "Place",
		text: ({ county, state }) => [county, state].flatMap((part) => part ?? []).join(", ") || null,
	},
	filedFact("Point of interconnection", "poi"),
	filedFact("Transmission owner", "utility"),
	filedFact("Cluster", "cluster"),
	filedFact("Service", "service"),
	{
		name: "Tax credit",
		text: ({ tax_credit_type, tax_credit_pct }) =>
			tax_credit_type === null || tax_credit_pct === null || tax_credit_type === "PTC"
				? tax_credit_type
				: `${tax_credit_type} ${tenthsOfPercent(tax_credit_pct)}`,
	},
	numericFact("Value of the credit", "estimated_credit_value", dollars),
	codedFact("Listed", "listed"),
];

interface ComparisonProps {
	requests: Project[];
	remove(id: string): void;
}

interface Row {
	name: string;
	cells: ComponentChildren[];
	isDifferent: boolean;
}

/**
 * A table with facts as rows and requests as columns. Rows whose values differ are in bold; a fact that no source has is shown as "not stated".
 */
export function Comparison({ requests, remove }: ComparisonProps) {
	const waiting = useWaitingRequests(requests);
	const factsWithPlace = [
		...facts,
		{ name: "Ahead at its point of interconnection", text: ({ id }: Project) => aheadOf(waiting, id) },
	];
	const rows: Row[] = [
		{
			name: "Request",
			cells: requests.map(({ id, name }) => (
				<>
					<ProjectLink id={id} name={name} />{" "}
					<button type="button" class="plain" aria-label={`Remove ${id}`} onClick={() => remove(id)}>
						×
					</button>
				</>
			)),
			isDifferent: false,
		},
		...factsWithPlace.flatMap(({ name, text }) => {
			const texts = requests.map(text);
			if (texts.every((one) => one === null || one === notApplicable)) return [];
			const cells = texts.map((one) => one ?? <span class="soft">not stated</span>);
			return [{ name, cells, isDifferent: new Set(texts).size > 1 }];
		}),
	];
	return (
		<>
			{requests.length > 1 && <p class="soft">Facts that differ are in bold.</p>}
			<Table
				scrolls="Requests side by side"
				class="compared"
				rows={rows}
				attributes={({ name, isDifferent }) => ({
					"data-fact": name,
					...(isDifferent && { "data-differs": "" }),
				})}
				columns={[
					["Fact", ({ name }) => name],
					...requests.map(({ id }, at): Column<Row> => [id, ({ cells }) => cells[at], "wrapped"]),
				]}
			/>
		</>
	);
}

/** Reads the active requests at the points of interconnection of these requests, and what is ahead of each. */
function useWaitingRequests(requests: readonly Project[]): Waiting[] {
	const points = [...new Set(requests.flatMap(({ poi_id }) => poi_id ?? []))];
	const state = useRead(points.join(), (signal) =>
		Promise.all(points.map((point) => read("getPoi", `/pois/${encodeURIComponent(point)}`, {}, signal))),
	);
	return state.data?.flatMap((point) => point.waiting) ?? [];
}

function aheadOf(waiting: readonly Waiting[], id: string): string | null {
	const ahead = waiting.find((one) => one.id === id)?.ahead;
	if (ahead == null) return null;
	return ahead.requests === 0 ? "None" : `${counted(ahead.requests, "request")}, ${power(ahead.capacity_mw)}`;
}
