/** Compares two to five interconnection requests side by side. The state of the page is in its address (`?ids=`). */
import "../../style/base.css";
import "./compare.css";
import { useEffect, useState } from "preact/hooks";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { TextField } from "../../lib/elements/fields.tsx";
import { mount } from "../../lib/elements/page.tsx";
import { counted, power, safeText } from "../../lib/text/format.ts";
import { Comparison } from "./comparison.tsx";

const maxRequests = 5;

const idsOfAddress = (): string[] => {
	const ids = new URLSearchParams(location.search).get("ids") ?? "";
	return [...new Set(ids.split(",").map((id) => id.trim()))].filter(Boolean).slice(0, maxRequests);
};

function Compare() {
	const [ids, setIds] = useState(idsOfAddress);
	useEffect(() => {
		const back = () => setIds(idsOfAddress());
		addEventListener("popstate", back);
		return () => removeEventListener("popstate", back);
	}, []);
	const show = (next: string[]) => {
		history.pushState(null, "", next.length === 0 ? location.pathname : `?ids=${next.map(encodeURIComponent).join()}`);
		setIds(next);
	};
	const query = { id: ids.join(), population: "all", include_unlisted: "true" };
	const state = useOperation("listProjects", ids.length === 0 ? undefined : "/projects", query, 60_000);
	const found = new Map(state.data?.data.map((project) => [project.id, project]));
	const requests = ids.flatMap((id) => found.get(id) ?? []);
	const missing = state.data === undefined || state.isStale ? [] : ids.filter((id) => !found.has(id));
	return (
		<>
			{ids.length < maxRequests ? (
				<AddRequest shown={ids} add={(id) => show([...ids, id])} />
			) : (
				<p class="soft">At most {counted(maxRequests, "request")} are compared. Remove one to add another.</p>
			)}
			<Failed state={state} />
			{missing.length > 0 && (
				<p class="failure" role="status">
					No request has the id {missing.join(", ")}.
				</p>
			)}
			{requests.length > 0 && <Comparison requests={requests} remove={(id) => show(ids.filter((one) => one !== id))} />}
			{requests.length === 1 && <p>Add at least one request to compare it with.</p>}
			{requests.length > 0 && (
				<p class="soft">
					As JSON:{" "}
					<code>
						curl '{location.origin}/projects?id={ids.join()}&population=all&include_unlisted=true'
					</code>
				</p>
			)}
		</>
	);
}

const shownHits = 10;

/** A search for requests, with a button at each result that adds it. */
function AddRequest({ shown, add }: { shown: readonly string[]; add(id: string): void }) {
	const [typed, setTyped] = useState("");
	const [query, setQuery] = useState("");
	const state = useOperation("search", query.length < 2 ? undefined : "/search", { q: query, per_page: 50 });
	const hits = (state.data?.results ?? [])
		.flatMap((hit) => (hit.kind === "project" && !shown.includes(hit.id) ? [hit] : []))
		.slice(0, shownHits);
	const submit = (event: Event) => {
		event.preventDefault();
		setQuery(typed.trim());
	};
	const choose = (id: string) => {
		setTyped("");
		setQuery("");
		add(id);
	};
	return (
		<search>
			<form class="ask" onSubmit={submit}>
				<TextField
					{...{ label: "Add a request", value: typed, set: setTyped, type: "search", maxLength: 200 }}
					placeholder="Name, number or developer"
				/>
				<button type="submit">Search</button>
			</form>
			<Failed state={state} />
			<div aria-live="polite">
				{query.length >= 2 && state.data && hits.length === 0 && (
					<p>No other request matches “{safeText(query, 80)}”.</p>
				)}
				<ul class="hits">
					{query.length >= 2 &&
						hits.map(({ id, name, capacity_mw, state: place, developer }) => (
							<li key={id}>
								<button type="button" class="plain" aria-label={`Add ${id}`} onClick={() => choose(id)}>
									Add
								</button>{" "}
								{safeText(name ?? id, 80)}{" "}
								<span class="soft">
									{[id, capacity_mw === null ? null : power(capacity_mw), place, developer]
										.flatMap((part) => (part === null ? [] : [safeText(part, 60)]))
										.join(" · ")}
								</span>
							</li>
						))}
				</ul>
			</div>
		</search>
	);
}

mount(<Compare />);
