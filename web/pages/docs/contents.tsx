import { useMemo, useState } from "preact/hooks";
import { labelOf } from "../../lib/text/format.ts";
import type { DescribedGuide, Group } from "./document.ts";
import { buildIndex, type Entry, searchIndex } from "./search.ts";

/** Minimum width of a screen for an open table of contents (CSS pixels); on narrower screens it would push the page down. */
const minWidth = 1_000;

interface ContentsProps {
	groups: Group[];
	guides: DescribedGuide[];
}

export const Contents = ({ groups, guides }: ContentsProps) => (
	<nav class="contents" aria-label="This page">
		<Search groups={groups} guides={guides} />
		<details open={window.innerWidth >= minWidth}>
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
				<li>
					<a href="/docs/glossary">Glossary</a>
				</li>
				<li>
					<a href="/llms-full.txt">Everything as Markdown</a>
				</li>
			</ul>
		</details>
	</nav>
);

function Search({ groups, guides }: ContentsProps) {
	// The search forms of guides lead here with `?find=`.
	const [typed, setTyped] = useState(new URLSearchParams(location.search).get("find") ?? "");
	// The index covers every field of every response, so it is built only when the reader searches.
	const isNeeded = typed !== "";
	const index = useMemo(
		() =>
			isNeeded
				? buildIndex(
						groups.flatMap((group) => group.endpoints),
						guides,
					)
				: [],
		[groups, guides, isNeeded],
	);
	const hits = searchIndex(index, typed);
	return (
		<search>
			<label for="find">Search guides, endpoints, parameters and fields</label>
			<input
				id="find"
				type="search"
				autocomplete="off"
				maxLength={100}
				value={typed}
				onInput={(event) => setTyped(event.currentTarget.value)}
			/>
			<div aria-live="polite">
				{isNeeded && groups.length > 0 && hits.length === 0 && <p class="soft">No results for these words.</p>}
				{hits.length > 0 && (
					<ul class="found">
						{hits.map((entry) => (
							<Hit key={`${entry.title} ${entry.part?.kind} ${entry.part?.name}`} entry={entry} />
						))}
					</ul>
				)}
			</div>
		</search>
	);
}

function Hit({ entry: { title, address, part } }: { entry: Entry }) {
	return (
		<li>
			<a href={address}>{title}</a>
			{part && (
				<>
					<br />
					<span class="soft">
						{part.kind} {part.kind === "section" ? part.name : <code>{part.name}</code>}
					</span>
				</>
			)}
		</li>
	);
}
