import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { type Column, Metered, Noted, Table } from "../../lib/elements/table.tsx";
import { count, labelOf, power } from "../../lib/text/format.ts";
import { hasListIn, type ListDays } from "./calendar-days.ts";
import { type Filters, hasSpan, longestDays, singleDay, summedDays } from "./filters.ts";

type Found = Reply<"summariseChanges">;

export function Summary({ filters, lists }: { filters: Filters; lists: readonly ListDays[] | undefined }) {
	const { since_days: days, as_of, isPart } = summedDays(filters);
	const { region, ...others } = filters.further;
	const query = { since_days: days, as_of, region };
	const state = useOperation("summariseChanges", "/changes/summary", query, 60_000);
	const found = state.data;
	return (
		<Section id="summary" title={titleOf(filters, days, as_of)} reads={[state]}>
			{isPart && <p class="soft">At most {longestDays} days are summed: these are the last of the span.</p>}
			<p class="soft">
				These sums are of all generation requests. The list below{" "}
				{Object.keys(others).length > 0
					? "has the changes that are chosen."
					: "also has loads and transmission projects."}
			</p>
			{found?.by_day.length === 0 && lists && (
				<p>
					{hasListIn(lists, days, as_of)
						? "The lists of these days show no changes."
						: "No list of these days was loaded, so it is not known what changed."}
				</p>
			)}
			{found !== undefined && found.by_day.length > 0 && (
				<>
					<ByRegion found={found} />
					<ByDay rows={found.by_day} />
				</>
			)}
		</Section>
	);
}

function titleOf(filters: Filters, days: number, last: string | undefined): string {
	const day = singleDay(filters);
	if (day !== undefined) return `On ${day}`;
	if (hasSpan(filters) && filters.since !== undefined) return `From ${filters.since} to ${last ?? "today"}`;
	const span = days === 1 ? "The last day" : `The last ${days} days`;
	return last === undefined ? span : `${span} up to ${last}`;
}

const kinds: [kind: Found["by_day"][number]["change_type"], heading: string][] = [
	["status_change", "Status"],
	["capacity_change", "MW"],
	["cod_change", "COD"],
	["disappeared", "Not listed"],
];

function ByRegion({ found }: { found: Found }) {
	const entered = new Map(found.new_entries_by_region.map((row) => [row.region, row]));
	const left = new Map(found.withdrawals_by_region.map((row) => [row.region, row]));
	const changed = new Map(found.by_region.map((row) => [`${row.region} ${row.change_type}`, row.count]));
	const regions = [...new Set([...found.by_region.map(({ region }) => region), ...left.keys()])].sort();
	return (
		<Table
			scrolls="Changes by grid operator"
			caption="New, withdrawn and changed requests"
			rows={regions}
			attributes={(region) => ({ "data-region": region })}
			columns={[
				["Grid operator", (region) => region],
				["New", (region) => sumText(entered.get(region)?.new_projects, entered.get(region)?.new_mw), "number"],
				["Withdrawn", (region) => sumText(left.get(region)?.withdrawn, left.get(region)?.withdrawn_mw), "number"],
				...kinds.map(
					([kind, heading]): Column<string> => [
						heading,
						(region) => <span data-kind={kind}>{count(changed.get(`${region} ${kind}`) ?? 0)}</span>,
						"number",
					],
				),
			]}
		/>
	);
}

const sumText = (requests = 0, mw = 0) => <Noted text={count(requests)} note={requests > 0 && `(${power(mw)})`} />;

function ByDay({ rows }: { rows: Found["by_day"] }) {
	const days = Map.groupBy(rows, ({ day }) => day);
	const max = Math.max(1, ...[...days.values()].map(sum));
	return (
		<Table
			caption="Changes by day"
			rows={[...days]}
			columns={[
				["Day", ([day]) => day, "day"],
				[
					"Kinds",
					([, kinds]) => (
						<Metered
							text={
								<span class="soft">
									{kinds.map((kind) => `${labelOf(kind.change_type).toLowerCase()} ${count(kind.count)}`).join(", ")}
								</span>
							}
							value={sum(kinds)}
							max={max}
						/>
					),
				],
				["Changes", ([, kinds]) => count(sum(kinds)), "number"],
			]}
		/>
	);
}

const sum = (kinds: { count: number }[]): number => kinds.reduce((total, kind) => total + kind.count, 0);
