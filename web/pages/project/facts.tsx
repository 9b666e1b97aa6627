import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { type Fact, FactList } from "../../lib/elements/page.tsx";
import { filed, power, words } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

type Detail = Reply<"getProject">;

type Stated = [name: string, value: ComponentChildren, field?: keyof Detail];

/** The facts that a reader asks for first, each with where it comes from; what no source states is left out. */
export function Facts({ project, as_of }: { project: Detail; as_of: string | undefined }) {
	const { source, shown: origin } = useSources(project.id, as_of);
	const text = (value: string | null) => (value === null ? null : filed(value));
	const place = [project.county, project.state].filter((part) => part !== null).join(", ");
	const facts: Stated[] = [
		["Number", `${project.region} ${filed(project.queue_id)}`, "queue_id"],
		["Status", statusOf(project), "status_std"],
		["Technology", words(project.type_std), "type_std"],
		["Capacity", project.capacity_mw === null ? null : power(project.capacity_mw), "capacity_mw"],
		["Developer", developerOf(project), "developer_canonical"],
		["Place", place === "" ? null : filed(place), "county"],
		["Point of interconnection", text(project.poi), "poi"],
		["Transmission owner", text(project.utility), "utility"],
		["In the queue since", project.queue_date, "queue_date"],
		["Projected operation", project.cod, "cod"],
		["In operation since", project.actual_cod, "actual_cod"],
		["Withdrawn", project.withdrawn_date, "withdrawn_date"],
		["Agreement signed", project.ia_date, "ia_date"],
		["Study phase", project.study_phase === null ? null : words(project.study_phase), "study_phase"],
		["Construction", words(project.construction_stage), "construction_stage"],
		["Listed", project.listed === "listed" ? null : words(project.listed)],
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
