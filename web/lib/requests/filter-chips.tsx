import { read } from "../api/request.ts";
import { useRead } from "../api/use-read.tsx";
import { filed } from "../text/format.ts";
import { type FilterName, type Filters, filterLabels, filterNames } from "./filters.ts";

interface ChipsProps {
	filters: Filters;
	/** That have a field of their own. */
	except: readonly FilterName[];
	drop(name: FilterName): void;
}

/** Filters that the address has and the form has no field for: they hold, can be seen, and can be taken away. */
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
	const named = useRead(`${name} ${value}`, async (signal) =>
		name in names ? names[name]?.(value, signal) : undefined,
	);
	const text = `${filterLabels[name]}: ${filed(named.data ?? value, 60)}`;
	return (
		<li class="tag">
			{text}{" "}
			<button type="button" class="plain" onClick={drop} aria-label={`Without ${text}`}>
				×
			</button>
		</li>
	);
}

type NameOf = (value: string, signal: AbortSignal) => Promise<string | undefined>;

/** What a number stands for. */
const names: Partial<Record<FilterName, NameOf>> = {
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
