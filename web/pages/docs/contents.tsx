import { useMemo, useState } from "preact/hooks";
import { labelOf } from "../../lib/text/format.ts";
import type { Group } from "./document.ts";
import { type Entry, found, indexOf } from "./search.ts";

/** On narrower screens (CSS pixels) an open list of contents would push the page down. */
const wide = 1_000;

export const Contents = ({ groups }: { groups: Group[] }) => (
	<nav class="contents" aria-label="This page">
		<Search groups={groups} />
		<details open={window.innerWidth >= wide}>
			<summary>Contents</summary>
			<ul>
				<li>
					<a href="#start">Five minutes</a>
				</li>
				<li>
					<a href="#guides">Guides</a>
				</li>
				<li>
					<a href="#endpoints">Endpoints</a>
					<ul>
						{groups.map(({ name }) => (
							<li key={name}>
								<a href={`#group-${name}`}>{labelOf(name)}</a>
							</li>
						))}
					</ul>
				</li>
				<li>
					<a href="#errors">Errors</a>
				</li>
				<li>
					<a href="#changelog">What changed</a>
				</li>
				<li>
					<a href="/docs/events">Events</a>
				</li>
			</ul>
		</details>
	</nav>
);

function Search({ groups }: { groups: Group[] }) {
	const [typed, setTyped] = useState("");
	// The index covers every field of every response, so it is built only when the reader searches.
	const isNeeded = typed !== "";
	const index = useMemo(
		() => (isNeeded ? indexOf(groups.flatMap((group) => group.endpoints)) : []),
		[groups, isNeeded],
	);
	const hits = found(index, typed);
	return (
		<search>
			<label for="find">Find an endpoint, a parameter or a field</label>
			<input
				id="find"
				type="search"
				autocomplete="off"
				maxLength={100}
				value={typed}
				onInput={(event) => setTyped(event.currentTarget.value)}
			/>
			<div aria-live="polite">
				{isNeeded && hits.length === 0 && <p class="soft">Nothing matches these words.</p>}
				{hits.length > 0 && (
					<ul class="found">
						{hits.map((entry) => (
							<Hit key={`${entry.endpoint.id} ${entry.part?.kind} ${entry.part?.name}`} entry={entry} />
						))}
					</ul>
				)}
			</div>
		</search>
	);
}

function Hit({ entry: { endpoint, part } }: { entry: Entry }) {
	const { id, method, path } = endpoint;
	return (
		<li>
			<a href={`#${id}`}>
				{method} {path}
			</a>
			{part && (
				<>
					<br />
					<span class="soft">
						{part.kind} <code>{part.name}</code>
					</span>
				</>
			)}
		</li>
	);
}
