import type { Reply } from "#libs/contract/index.ts";
import { Years } from "../../lib/charts/columns.tsx";
import { Metered, Table } from "../../lib/elements/table.tsx";
import { count, counted, labelOf, power } from "../../lib/text/format.ts";
import { type Shade, shadeOfStatus, shadeOfTechnology, shades } from "./map/colours.ts";
import { type Colouring, colourings } from "./view.ts";

type Groups = Reply<"groupProjects">;

export interface Totals {
	status: Groups;
	technology: Groups;
	location_precision: Groups;
	queue_year: Groups;
	cod_year: Groups;
}

const precision: Record<string, string> = {
	poi: "located by filed coordinates",
	county: "located by county only",
	state: "located by state only",
};

interface TotalsProps {
	totals: Totals;
	as_of: string | undefined;
	/** A sentence about selected days that no list covers; empty if there are none. */
	note: string;
	/** Whether the totals are still those of the previous filters. */
	isStale: boolean;
}

export function TotalsPanel({ totals, as_of, note, isStale }: TotalsProps) {
	const { requests, capacity_mw } = totals.status.meta;
	if (isStale)
		return (
			<section aria-labelledby="totals" class="totals" aria-busy="true">
				<h2 id="totals">Counting requests…</h2>
			</section>
		);
	return (
		<section aria-labelledby="totals" class="totals">
			<h2 id="totals" data-total={requests}>
				{counted(requests, "request")}, {power(capacity_mw)}
				{as_of !== undefined && ` on ${as_of}`}
			</h2>
			<p class="soft">
				{totals.location_precision.data
					.map(({ value, requests }) => `${count(requests)} ${precision[value ?? ""] ?? "not located"}`)
					.join(", ")}
				{requests > 0 && ". "}
				{note}
			</p>
			<div class="columns">
				<Groups caption="By status" groups={totals.status} shadeOf={shadeOfStatus} />
				<Groups caption="By technology" groups={totals.technology} shadeOf={shadeOfTechnology} />
				<Years title="By year of the queue date" groups={totals.queue_year} />
				<Years title="By year of the projected operation" groups={totals.cod_year} />
			</div>
		</section>
	);
}

interface GroupsProps {
	caption: string;
	groups: Groups;
	shadeOf(value: string): Shade;
}

/** Number of groups that have a separate row; the others share one. */
const maxRows = 8;

function Groups({ caption, groups: { data, meta }, shadeOf }: GroupsProps) {
	const rest = data.slice(maxRows);
	const groups = [
		...data.slice(0, maxRows),
		...(rest.length === 0
			? []
			: [{ value: undefined, requests: sum(rest, "requests"), capacity_mw: sum(rest, "capacity_mw") }]),
	];
	return (
		<Table
			class="groups"
			caption={caption}
			rows={groups}
			attributes={({ value }) => ({ "data-group": value })}
			columns={[
				[
					labelOf(caption.slice(3)),
					({ value, requests }) =>
						value === undefined ? (
							`${meta.total - maxRows} more`
						) : (
							<Metered
								text={
									<>
										<Swatch colour={shadeOf(value ?? "").colour} /> {labelOf(value ?? "unknown")}
									</>
								}
								value={requests}
								max={Math.max(1, meta.requests)}
							/>
						),
				],
				["Requests", ({ requests }) => count(requests), "number"],
				["Capacity", ({ capacity_mw }) => power(capacity_mw), "number"],
			]}
		/>
	);
}

const sum = (rows: Groups["data"], name: "requests" | "capacity_mw"): number =>
	rows.reduce((total, row) => total + row[name], 0);

/** A sample of a color. The color is set by script, because the content security policy forbids inline styles. */
export const Swatch = ({ colour }: { colour: string }) => (
	<span class="swatch" aria-hidden="true" style={{ backgroundColor: colour }} />
);

/** Texts that explain the color of a cluster of requests. */
const clusterColors: Record<Colouring, string> = {
	technology: "the most common technology",
	status: "the most common status",
	score: "the average score",
};

export const Legend = ({ colour, choose }: { colour: Colouring; choose(colour: Colouring): void }) => (
	<details class="legend" open={innerWidth > 700}>
		<summary>Legend</summary>
		<div>
			<label>
				Color by
				<select value={colour} onChange={({ currentTarget }) => choose(currentTarget.value as Colouring)}>
					{colourings.map((name) => (
						<option key={name} value={name}>
							{labelOf(name)}
						</option>
					))}
				</select>
			</label>
			<ul>
				{shades[colour].map(({ name, colour }) => (
					<li key={name}>
						<Swatch colour={colour} /> {name}
					</li>
				))}
			</ul>
			<ul>
				<li>
					<span class="form cluster" aria-hidden="true" /> Many requests, colored by {clusterColors[colour]}
				</li>
				<li>
					<span class="form area" aria-hidden="true" /> A county, with requests that are somewhere in it
				</li>
				<li>
					<span class="form dot" aria-hidden="true" /> One request, larger for more MW, laid out within its county
				</li>
				<li>
					<span class="form point" aria-hidden="true" /> At coordinates that are filed
				</li>
			</ul>
		</div>
	</details>
);
