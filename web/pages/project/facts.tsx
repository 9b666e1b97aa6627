import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { type Fact, FactList } from "../../lib/elements/page.tsx";
import { plantLabel, stageLabel } from "../../lib/requests/labels.ts";
import { DeveloperLink } from "../../lib/requests/project-link.tsx";
import { labelOf, percent, power, safeText, tenthsOfPercent } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

type Project = Reply<"getProject">;

type Stated = [name: string, value: ComponentChildren, field?: keyof Project];

/** The main facts, most important first, each with a button that shows its source. Facts that no source has are omitted. */
export function Facts({ project, as_of }: { project: Project; as_of: string | undefined }) {
	const { source, shown: origin } = useSources(project.id, as_of);
	const text = (value: string | null) => (value === null ? null : safeText(value));
	const place = [project.county, project.state].filter((part) => part !== null).join(", ");
	const developer = developerOf(project);
	const first: Stated[] = [
		["Status", statusOf(project), "status_std"],
		["Chance in 36 months", project.p_cod_36 === null ? null : percent(project.p_cod_36), "p_cod_36"],
		["In operation since", project.actual_cod, "actual_cod"],
		["Withdrawn", project.withdrawn_date, "withdrawn_date"],
		["Projected operation", project.cod, "cod"],
		["Capacity", project.capacity_mw === null ? null : power(project.capacity_mw), "capacity_mw"],
	];
	const others: Stated[] = [
		["In the queue since", project.queue_date, "queue_date"],
		["Agreement signed", project.ia_date, "ia_date"],
		["Study phase", project.study_phase === null ? null : labelOf(project.study_phase), "study_phase"],
		["Stage", stageLabel(project.construction_stage, project.study_phase), "construction_stage"],
		developer === null
			? ["Developer", <span class="soft">not published</span>]
			: ["Developer", developer, "developer_canonical"],
		["Technology", labelOf(project.type_std), "type_std"],
		["Number", `${project.region} ${safeText(project.queue_id)}`, "queue_id"],
		["Place", place === "" ? null : safeText(place), "county"],
		["Point of interconnection", text(project.poi), "poi"],
		["Transmission owner", text(project.utility), "utility"],
		["At the site", plantOf(project), "plant_state"],
		["Class", project.request_class === "new" ? null : labelOf(project.request_class), "request_class"],
		["Listed", project.listed === "listed" ? null : labelOf(project.listed)],
		["Tax credit", creditOf(project), "tax_credit_type"],
	];
	const withSource = ([name, value, field]: Stated): Fact => {
		if (value === null || field === undefined) return [name, value];
		return [
			name,
			<>
				{value} {source(field, name)}
			</>,
		];
	};
	return (
		<>
			<div class="first">
				<FactList facts={first.map(withSource)} />
			</div>
			<FactList facts={others.map(withSource)} />
			{origin}
		</>
	);
}

const statusOf = ({ status_std, status }: Project): string =>
	status === null || status.toLowerCase() === status_std.toLowerCase()
		? labelOf(status_std)
		: `${labelOf(status_std)} (filed: ${safeText(status, 80)})`;

const plantOf = ({ plant_state, plant_state_evidence }: Project): string =>
	plant_state_evidence === null
		? plantLabel(plant_state)
		: `${plantLabel(plant_state)} (${safeText(plant_state_evidence, 200)})`;

function developerOf({ developer_canonical, developer, developer_id }: Project): ComponentChildren {
	const name = developer_canonical ?? developer;
	if (name === null) return null;
	return (
		<>
			<DeveloperLink id={developer_id} name={name} />
			{developer !== null && developer !== name && ` (filed: ${safeText(developer)})`}
		</>
	);
}

const creditOf = ({ tax_credit_type, tax_credit_pct, tax_credit_status }: Project): string | null =>
	tax_credit_type === null
		? null
		: [
				tax_credit_type,
				// A production tax credit is paid per kWh; its percentage is only an equivalent.
				tax_credit_pct === null || tax_credit_type === "PTC" ? undefined : tenthsOfPercent(tax_credit_pct),
				tax_credit_status === null ? undefined : `(${labelOf(tax_credit_status).toLowerCase()})`,
			]
				.filter(Boolean)
				.join(" ");
