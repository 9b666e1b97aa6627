import { useState } from "preact/hooks";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { TextField } from "../../lib/elements/fields.tsx";
import { power, safeText } from "../../lib/text/format.ts";

const shownHits = 10;

/** A search for requests, each with a button that adds it. */
export function AddRequest({ shown, add }: { shown: readonly string[]; add(id: string): void }) {
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
