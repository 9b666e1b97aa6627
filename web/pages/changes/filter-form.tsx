import type { Params } from "#libs/contract/index.ts";
import { read } from "../../lib/api.ts";
import { words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";
import type { Filters } from "./filters.ts";

type ChangeType = NonNullable<Params<"listChanges">["change_type"]>[number];

const types: ChangeType[] = [
	"new_project",
	"status_change",
	"capacity_change",
	"cod_change",
	"developer_change",
	"study_phase_change",
	"field_update",
	"disappeared",
	"correction",
];
const days = [1, 7, 30, 90];
const today = () => new Date().toISOString().slice(0, 10);

export function FilterForm({ filters, choose }: { filters: Filters; choose(filters: Filters): void }) {
	const { since_days, day, as_of, region, change_type } = filters;
	const stats = useRead("stats", (signal) => read("getStats", "/stats", {}, signal));
	const regions = stats.data?.data.by_iso.map(({ iso }) => iso) ?? [];
	return (
		<form class="filters" onSubmit={(event) => event.preventDefault()}>
			<label>
				Days
				<select
					value={day ?? since_days}
					onChange={({ currentTarget }) =>
						choose({ ...filters, since_days: Number(currentTarget.value), day: undefined })
					}
				>
					{day !== undefined && <option value={day}>{day}</option>}
					{[...new Set([...days, since_days])].map((value) => (
						<option key={value} value={value}>
							{value === 1 ? "The last day" : `The last ${value} days`}
						</option>
					))}
				</select>
			</label>
			<label>
				Up to
				<input
					type="date"
					max={today()}
					value={as_of ?? today()}
					onChange={({ currentTarget: { value } }) =>
						choose({ ...filters, day: undefined, as_of: value === "" || value >= today() ? undefined : value })
					}
				/>
			</label>
			<label>
				Grid operator
				<select
					value={region ?? ""}
					onChange={({ currentTarget }) => choose({ ...filters, region: currentTarget.value || undefined })}
				>
					<option value="">All</option>
					{[...new Set([...regions, ...(region === undefined ? [] : [region])])].map((name) => (
						<option key={name}>{name}</option>
					))}
				</select>
			</label>
			<label>
				Kind of change
				<select
					value={change_type ?? ""}
					onChange={({ currentTarget }) => choose({ ...filters, change_type: currentTarget.value || undefined })}
				>
					<option value="">All</option>
					{types.map((name) => (
						<option key={name} value={name}>
							{words(name)}
						</option>
					))}
				</select>
			</label>
		</form>
	);
}
