import { read } from "../api/request.ts";
import { useRead } from "../api/use-read.tsx";
import { safeText } from "../text/format.ts";
import { type FilterName, type Filters, filterLabels, filterNames } from "./filters.ts";
import { plantLabel, stageLabel } from "./labels.ts";

interface SelectProps {
	label: string;
	values: readonly string[];
	/** The selected value. It is offered even if it is not in `values`, for example because it is a comma-separated list. */
	chosen: string | undefined;
	text?(value: string): string;
	choose(value: string | undefined): void;
}

export const FilterSelect = ({ label, values, chosen = "", text = (value) => value, choose }: SelectProps) => (
	<label>
		{label}
		<select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}>
			<option value="">All</option>
			{[...new Set([...values, chosen])].filter(Boolean).map((value) => (
				<option key={value} value={value}>
					{text(value)}
				</option>
			))}
		</select>
	</label>
);

interface ChipsProps {
	filters: Filters;
	except: readonly FilterName[];
	drop(name: FilterName): void;
}

/** The filters in the URL that have no field in the form, each with a button that removes it. */
export function FilterChips({ filters, except, drop }: ChipsProps) {
	const shown = filterNames.filter((name) => filters[name] !== undefined && !except.includes(name));
	if (shown.length === 0) return null;
	return (
		<ul class="chips" aria-label="Further filters">
			{shown.map((name) => (
				<Chip key={name} name={name} value={filters[name] ?? ""} drop={() => drop(name)} />
			))}
		</ul>
	);
}

function Chip({ name, value, drop }: { name: FilterName; value: string; drop(): void }) {
	const nameRead = useRead(`${name} ${value}`, async (signal) =>
		name in nameReaders ? nameReaders[name]?.(value, signal) : undefined,
	);
	const text = `${filterLabels[name]}: ${safeText(nameRead.data ?? valueText(name, value), 60)}`;
	return (
		<li class="tag">
			{text}{" "}
			<button type="button" class="plain" onClick={drop} aria-label={`Without ${text}`}>
				×
			</button>
		</li>
	);
}

/** The text of comma-separated values, with labels for coded ones. */
const valueText = (name: FilterName, value: string): string => {
	const label = valueLabels[name];
	return label === undefined ? value : value.split(",").map(label).join(", ");
};

const valueLabels: Partial<Record<FilterName, (value: string) => string>> = {
	construction_stage: (stage) => stageLabel(stage.trim()),
	plant_state: (state) => plantLabel(state.trim()),
};

type NameOf = (value: string, signal: AbortSignal) => Promise<string | undefined>;

/** Functions that look up the names for filters whose values are numbers or codes. */
const nameReaders: Partial<Record<FilterName, NameOf>> = {
	async developer_id(value, signal) {
		if (!/^\d+$/.test(value)) return undefined;
		return (await read("getDeveloper", `/developers/${value}`, {}, signal)).data.canonical_name;
	},
	async fips(value, signal) {
		const query = { by: "county", fips: value, population: "all", include_unlisted: "true", per_page: 1 };
		const [found] = (await read("groupProjects", "/projects/groups", query, signal)).data;
		return found?.county == null ? undefined : [found.county, found.state].filter(Boolean).join(", ");
	},
};
