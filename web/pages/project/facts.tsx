import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { type Fact, FactList } from "../../lib/elements/lists.tsx";
import { DeveloperLink } from "../../lib/requests/project-link.tsx";
import { labelOf, power, safeText } from "../../lib/text/format.ts";
import { tenthsOfPercent } from "../../lib/text/quantity.ts";
import { useSources } from "./origin.tsx";

type Project = Reply<"getProject">;

type Stated = [name: string, value: ComponentChildren, field?: keyof Project];

/** The main facts, each with a button that opens its source. Facts that no source states are left out. */
export function Facts({ project, as_of }: { project: Project; as_of: string | undefined }) {
	const { source, shown: origin } = useSources(project.id, as_of);
	const text = (value: string | null) => (value === null ? null : safeText(value));
	const place = [project.county, project.state].filter((part) => part !== null).join(", ");
	const facts: Stated[] = [
		["Number", `${project.region} ${safeText(project.queue_id)}`, "queue_id"],
		["Status", statusOf(project), "status_std"],
		["Technology", labelOf(project.type_std), "type_std"],
		["Capacity", project.capacity_mw === null ? null : power(project.capacity_mw), "capacity_mw"],
		["Developer", developerOf(project), "developer_canonical"],
		["Place", place === "" ? null : safeText(place), "county"],
		["Point of interconnection", text(project.poi), "poi"],
		["Transmission owner", text(project.utility), "utility"],
		["In the queue since", project.queue_date, "queue_date"],
		["Projected operation", project.cod, "cod"],
		["In operation since", project.actual_cod, "actual_cod"],
		["Withdrawn", project.withdrawn_date, "withdrawn_date"],
		["Agreement signed", project.ia_date, "ia_date"],
		["Study phase", project.study_phase === null ? null : labelOf(project.study_phase), "study_phase"],
		["Construction", labelOf(project.construction_stage), "construction_stage"],
		["At the site", plantOf(project), "plant_state"],
		["Class", project.request_class === "new" ? null : labelOf(project.request_class), "request_class"],
		["Listed", project.listed === "listed" ? null : labelOf(project.listed)],
		["Tax credit", creditOf(project), "tax_credit_type"],
	];
	const shown = facts.map(([name, value, field]): Fact => {
		if (value === null || field === undefined) return [name, value];
		return [
			name,
			<>
				{value} {source(field, name)}
			</>,
		];
	});
	return (
		<>
			<FactList facts={shown} />
			{origin}
		</>
	);
}

const statusOf = ({ status_std, status }: Project): string =>
	status === null || status === status_std
		? labelOf(status_std)
		: `${labelOf(status_std)} (filed: ${safeText(status, 80)})`;

const plantOf = ({ plant_state, plant_state_evidence }: Project): string =>
	plant_state_evidence === null
		? labelOf(plant_state)
		: `${labelOf(plant_state)} (${safeText(plant_state_evidence, 200)})`;

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
				// A production tax credit is paid by the kWh; its percentage is only an equivalent.
				tax_credit_pct === null || tax_credit_type === "PTC" ? undefined : tenthsOfPercent(tax_credit_pct),
				tax_credit_status === null ? undefined : `(${labelOf(tax_credit_status).toLowerCase()})`,
			]
				.filter(Boolean)
				.join(" ");
