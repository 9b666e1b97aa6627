import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { useOpened } from "../../lib/elements/use-opened.ts";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { counted, power, safeText } from "../../lib/text/format.ts";
import type { Point } from "./map/points.ts";
import type { Picked } from "./map/view.ts";

interface SelectionProps {
	picked: Picked;
	as_of: string | undefined;
	points: readonly Point[];
	chooseCounty(fips: string): void;
	close(): void;
}

/** Details of the request, point or place selected on the map or in the table. */
export function Selection({ picked, as_of, points, chooseCounty, close }: SelectionProps) {
	const { place, end } = useOpened<HTMLElement>(close);
	return (
		<aside class="selection" aria-label="Chosen on the map" ref={place} tabIndex={-1}>
			<button type="button" class="plain" onClick={end} aria-label="Close">
				×
			</button>
			{picked.kind === "request" ? (
				<Request id={picked.id} as_of={as_of} />
			) : picked.kind === "point" ? (
				<Poi point={points.find(({ poi_id }) => poi_id === picked.id)} />
			) : (
				<Place picked={picked} choose={chooseCounty} />
			)}
		</aside>
	);
}

function Request({ id, as_of }: { id: string; as_of: string | undefined }) {
	const state = useOperation("listProjects", "/projects", { id, as_of, include_unlisted: "true" });
	const found = state.data?.data[0];
	return (
		<>
			<Failed state={state} />
			{found && (
				<p>
					<ProjectLink id={found.id} name={found.name} day={as_of} />
					<br />
					{found.type_std} · {found.status_std}
					{found.capacity_mw !== null && <> · {power(found.capacity_mw)}</>}
					{found.investability_score !== null && <> · score {found.investability_score}</>}
					{found.score_basis === "published" && `, published then, version ${found.score_version}`}
					<br />
					<span class="soft">
						{found.region} {found.queue_id} · {safeText([found.county, found.state].filter(Boolean).join(", "), 60)}
						<br />
						{found.location_precision === "poi"
							? "At the coordinates of its point of interconnection."
							: `Only its ${found.location_precision ?? "state"} is known, not the exact place.`}
					</span>
				</p>
			)}
		</>
	);
}

function Poi({ point }: { point: Point | undefined }) {
	if (point === undefined) return <p>This point is no longer shown.</p>;
	const { poi_id, name, voltage_kv, requests, capacity_mw, active_requests, active_mw, location_precision } = point;
	return (
		<p>
			<a href={`/pois/${encodeURIComponent(poi_id)}`}>{safeText(name, 80)}</a>
			<br />
			{voltage_kv === null ? "Voltage not filed" : `${voltage_kv} kV`} · {counted(requests, "request")},{" "}
			{power(capacity_mw)}
			<br />
			{active_requests === 0 ? "None is active" : `${counted(active_requests, "active request")}, ${power(active_mw)}`}
			<br />
			<span class="soft">
				{location_precision === "poi" ? "At its filed coordinates." : "Only its county is known, not the exact place."}
			</span>
		</p>
	);
}

function Place({ picked, choose }: { picked: Extract<Picked, { kind: "place" }>; choose(fips: string): void }) {
	const { county, state, fips, count: requests, capacityMw } = picked;
	return (
		<p>
			<b>{safeText([county, state].filter(Boolean).join(", "), 80)}</b>
			<br />
			{counted(requests, "request")}, {power(capacityMw)}
			<br />
			{fips !== null && (
				<button type="button" class="plain" onClick={() => choose(fips)}>
					Only this county
				</button>
			)}
		</p>
	);
}
