import { changeTypes } from "#libs/contract/vocabulary.ts";
import { readValues } from "../../lib/api/all-pages.ts";
import { useOperation, useRead } from "../../lib/api/use-read.tsx";
import { FilterChips, FilterSelect } from "../../lib/requests/filter-controls.tsx";
import type { FilterName } from "../../lib/requests/filters.ts";
import { labelOf } from "../../lib/text/format.ts";
import { type Filters, hasSpan } from "./filters.ts";

const days = [1, 7, 30, 90];
const span = "span";
const today = () => new Date().toISOString().slice(0, 10);

/** Filters of requests that have their own field in the form. */
const fields = ["region", "state"] as const;

export function FilterForm({ filters, choose }: { filters: Filters; choose(filters: Filters): void }) {
	const { since_days, since, until, as_of, change_type, further } = filters;
	const isSpan = hasSpan(filters);
	const stats = useOperation("getStats", "/stats");
	const states = useRead("states", (signal) => readValues("state", signal));
	const regions = stats.data?.data.by_iso.map(({ iso }) => iso) ?? [];
	const set = (name: FilterName, value: string | undefined) => {
		const { [name]: _, ...others } = further;
		choose({ ...filters, further: value === undefined ? others : { ...others, [name]: value } });
	};
	const day = (label: string, value: string | undefined, take: (value: string | undefined) => void) => (
		<label>
			{label}
			<input
				type="date"
				max={today()}
				value={value ?? ""}
				onChange={({ currentTarget }) => take(currentTarget.value || undefined)}
			/>
		</label>
	);
	return (
		<>
			<form class="filters" onSubmit={(event) => event.preventDefault()}>
				<label>
					Days
					<select
						value={isSpan ? span : since_days}
						onChange={({ currentTarget: { value } }) =>
							choose(
								value === span
									? { ...filters, since: firstOfDays(since_days, as_of), until: as_of ?? today() }
									: { ...filters, since_days: Number(value), since: undefined, until: undefined },
							)
						}
					>
						{[...new Set([...days, since_days])].map((value) => (
							<option key={value} value={value}>
								{value === 1 ? "The last day" : `The last ${value} days`}
							</option>
						))}
						<option value={span}>Chosen days</option>
					</select>
				</label>
				{isSpan ? (
					<>
						{day("First day", since, (since) => choose({ ...filters, since }))}
						{day("Last day", until, (until) => choose({ ...filters, until }))}
					</>
				) : (
					day("Up to", as_of ?? today(), (value) =>
						choose({ ...filters, as_of: value === undefined || value >= today() ? undefined : value }),
					)
				)}
				<FilterSelect
					label="Grid operator"
					values={regions}
					chosen={further.region}
					choose={(value) => set("region", value)}
				/>
				<FilterSelect
					label="State"
					values={(states.data ?? []).toSorted()}
					chosen={further.state}
					choose={(value) => set("state", value)}
				/>
				<FilterSelect
					label="Kind of change"
					values={changeTypes}
					chosen={change_type}
					text={labelOf}
					choose={(value) => choose({ ...filters, change_type: value })}
				/>
			</form>
			<FilterChips filters={further} except={fields} drop={(name) => set(name, undefined)} />
		</>
	);
}

/** The first day of a span of `days` days that ends on `last` (UTC). */
const firstOfDays = (days: number, last = today()): string =>
	new Date(Date.parse(last) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
