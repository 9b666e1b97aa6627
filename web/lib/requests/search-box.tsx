import { useEffect, useId, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { Failed, useOperation } from "../api/use-read.tsx";
import { counted, power, safeText } from "../text/format.ts";
import { ProjectLink } from "./project-link.tsx";

type Found = Reply<"search">;
type Hit = Found["results"][number];

const shortestQuery = 2;
const shownHits = 12;
const debounceMs = 200;

export function SearchBox() {
	const id = useId();
	const [typed, setTyped] = useState("");
	const [query, setQuery] = useState("");
	useEffect(() => {
		const timer = setTimeout(() => setQuery(typed.trim()), debounceMs);
		return () => clearTimeout(timer);
	}, [typed]);
	const path = query.length < shortestQuery ? undefined : "/search";
	const state = useOperation("search", path, { q: query, per_page: shownHits });
	return (
		<search class="search">
			<label for={id}>Find a project, a developer or a county</label>
			<input
				id={id}
				type="search"
				placeholder="Kern County, NextEra, J1234"
				autocomplete="off"
				maxLength={200}
				value={typed}
				onInput={(event) => setTyped(event.currentTarget.value)}
			/>
			<Failed state={state} />
			<div aria-live="polite">{state.data && <Results found={state.data} />}</div>
		</search>
	);
}

function Results({ found }: { found: Found }) {
	if (found.results.length === 0) return <p>Nothing is called “{safeText(found.query, 80)}”.</p>;
	return (
		<>
			{found.corrected !== undefined && (
				<p class="soft">
					Showing results for <b>{safeText(found.corrected, 80)}</b>.
				</p>
			)}
			<ul class="hits">
				{found.results.map((hit) => (
					<li key={keyOf(hit)}>
						<span class="tag">{hit.kind}</span> <Result hit={hit} />
					</li>
				))}
			</ul>
		</>
	);
}

const keyOf = (hit: Hit): string => {
	if (hit.kind === "project") return hit.id;
	if (hit.kind === "poi") return hit.poi_id;
	return hit.kind === "developer" ? `developer ${hit.developer_id}` : `county ${hit.fips ?? hit.name}`;
};

function Result({ hit }: { hit: Hit }) {
	if (hit.kind === "project")
		return (
			<>
				<ProjectLink {...hit} />
				<span class="soft">
					{hit.capacity_mw !== null && <> · {power(hit.capacity_mw)}</>}
					{hit.state !== null && <> · {safeText(hit.state, 40)}</>}
					{hit.developer !== null && <> · {safeText(hit.developer, 60)}</>}
				</span>
			</>
		);
	return (
		<>
			{hit.kind === "developer" && <a href={`/developers/${hit.developer_id}`}>{safeText(hit.name, 80)}</a>}
			{hit.kind === "county" && <County name={[hit.name, hit.state].filter(Boolean).join(", ")} fips={hit.fips} />}
			{hit.kind === "poi" && <a href={`/explore?poi_id=${hit.poi_id}`}>{safeText(hit.name, 80)}</a>}
			<span class="soft">
				{" "}
				· {counted(hit.project_count, "request")} · {power(hit.total_capacity_mw)}
			</span>
		</>
	);
}

/** The map filters counties by code, because several share a name. */
const County = ({ name, fips }: { name: string; fips: string | null }) =>
	fips === null ? <b>{safeText(name, 80)}</b> : <a href={`/explore?fips=${fips}`}>{safeText(name, 80)}</a>;
