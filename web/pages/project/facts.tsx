import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { type Fact, FactList } from "../../lib/fact-list.tsx";
import { filed, power, words } from "../../lib/format.ts";

type Detail = Reply<"getProject">;

/** The facts that a reader asks for first; what no source states is left out. */
export function Facts({ project }: { project: Detail }) {
	const text = (value: string | null) => (value === null ? null : filed(value));
	const place = [project.county, project.state].filter((part) => part !== null).join(", ");
	const facts: Fact[] = [
		["Number", `${project.region} ${filed(project.queue_id)}`],
		["Status", statusOf(project)],
		["Technology", words(project.type_std)],
		["Capacity", project.capacity_mw === null ? null : power(project.capacity_mw)],
		["Developer", developerOf(project)],
		["Place", place === "" ? null : filed(place)],
		["Point of interconnection", text(project.poi)],
		["Transmission owner", text(project.utility)],
		["In the queue since", project.queue_date],
		["Projected operation", project.cod],
		["In operation since", project.actual_cod],
		["Withdrawn", project.withdrawn_date],
		["Agreement signed", project.ia_date],
		["Study phase", project.study_phase === null ? null : words(project.study_phase)],
		["Construction", words(project.construction_stage)],
		["Listed", project.listed === "listed" ? null : words(project.listed)],
		["Tax credit", creditOf(project)],
	];
	return <FactList facts={facts} />;
}

const statusOf = ({ status_std, status }: Detail): string =>
	status === null || status === status_std ? words(status_std) : `${words(status_std)} (filed: ${filed(status, 80)})`;

function developerOf({ developer_canonical, developer, developer_id }: Detail): ComponentChildren {
	const name = developer_canonical ?? developer;
	if (name === null) return null;
	const shown = filed(name);
	const found = developer_id === null ? shown : <a href={`/developers/${developer_id}`}>{shown}</a>;
	return developer === null || developer === name ? (
		found
	) : (
		<>
			{found} (filed: {filed(developer)})
		</>
	);
}

const creditOf = ({ tax_credit_type, tax_credit_pct, tax_credit_status }: Detail): string | null =>
	tax_credit_type === null
		? null
		: [
				tax_credit_type,
				// A production tax credit is paid by the kWh: its percentage is an equivalent.
				tax_credit_pct === null || tax_credit_type === "PTC"
					? undefined
					: `${Math.round(tax_credit_pct * 1_000) / 10} %`,
				tax_credit_status === null ? undefined : `(${words(tax_credit_status).toLowerCase()})`,
			]
				.filter(Boolean)
				.join(" ");
