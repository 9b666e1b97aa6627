import { useEffect, useId, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../api/request.ts";
import { Failed, useRead } from "../api/use-read.tsx";
import { count, filed, power } from "../text/format.ts";
import { ProjectLink } from "./project-link.tsx";

type Found = Reply<"search">;
type Hit = Found["results"][number];

const shortest = 2;
const shown = 12;
/** While a reader still types (ms). */
const pauseMs = 200;

/** Projects, developers and counties by name, also where a letter is wrong. */
export function SearchBox() {
	const id = useId();
	const [typed, setTyped] = useState("");
	const [asked, setAsked] = useState("");
	useEffect(() => {
		const timer = setTimeout(() => setAsked(typed.trim()), pauseMs);
		return () => clearTimeout(timer);
	}, [typed]);
	const state = useRead(asked, async (signal) =>
		asked.length < shortest ? undefined : read("search", "/search", { q: asked, per_page: shown }, signal),
	);
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
	if (found.results.length === 0) return <p>Nothing is called “{filed(found.query, 80)}”.</p>;
	return (
		<>
			{found.corrected !== undefined && (
				<p class="soft">
					Showing results for <b>{filed(found.corrected, 80)}</b>.
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
	return hit.kind === "developer" ? `developer ${hit.developer_id}` : `county ${hit.fips ?? hit.name}`;
};

function Result({ hit }: { hit: Hit }) {
	if (hit.kind === "project")
		return (
			<>
				<ProjectLink {...hit} />
				<span class="soft">
					{hit.capacity_mw !== null && <> · {power(hit.capacity_mw)}</>}
					{hit.state !== null && <> · {filed(hit.state, 40)}</>}
					{hit.developer !== null && <> · {filed(hit.developer, 60)}</>}
				</span>
			</>
		);
	return (
		<>
			{hit.kind === "developer" ? (
				<a href={`/developers/${hit.developer_id}`}>{filed(hit.name, 80)}</a>
			) : (
				<County name={[hit.name, hit.state].filter(Boolean).join(", ")} fips={hit.fips} />
			)}
			<span class="soft">
				{" "}
				· {count(hit.project_count)} requests · {power(hit.total_capacity_mw)}
			</span>
		</>
	);
}

/** One without a code is known by its name alone, which several counties have. */
const County = ({ name, fips }: { name: string; fips: string | null }) =>
	fips === null ? <b>{filed(name, 80)}</b> : <a href={`/explore?fips=${fips}`}>{filed(name, 80)}</a>;
