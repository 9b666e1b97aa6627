import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { Failed, useOperation } from "../api/use-read.tsx";
import { counted, power, safeText } from "../text/format.ts";

type Found = Reply<"search">;
type Hit = Found["results"][number];

/** Minimum length of a text that the API searches for. */
export const minSearchLength = 2;
const shownHits = 12;
const debounceMs = 200;

/** A combobox (ARIA): the arrow keys choose a result, Enter opens it, and Escape closes the list. */
export function SearchBox() {
	const id = useId();
	const list = useRef<HTMLDivElement>(null);
	const [typed, setTyped] = useState("");
	const [query, setQuery] = useState("");
	const [chosen, setChosen] = useState(-1);
	const [isOpen, setOpen] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setQuery(typed.trim()), debounceMs);
		return () => clearTimeout(timer);
	}, [typed]);
	const path = query.length < minSearchLength ? undefined : "/search";
	const state = useOperation("search", path, { q: query, per_page: shownHits });
	const found = isOpen ? state.data : undefined;
	const options = found?.results.flatMap(optionsOf) ?? [];
	const isCurrent = !state.isStale && query === typed.trim();
	const choose = (at: number) => {
		setChosen(at);
		list.current?.children[at]?.scrollIntoView({ block: "nearest" });
	};
	const press = (event: KeyboardEvent) => {
		if (event.key === "ArrowDown") setOpen(true);
		const { length } = options;
		const steps: Record<string, () => void> = {
			ArrowDown: () => choose((chosen + 1) % length),
			ArrowUp: () => choose((Math.max(chosen, 0) + length - 1) % length),
			Enter() {
				const option = options[chosen] ?? (isCurrent ? options[0] : undefined);
				if (option !== undefined) location.assign(option.href);
			},
			Escape() {
				setChosen(-1);
				setOpen(false);
			},
		};
		const step = length > 0 ? steps[event.key] : undefined;
		if (step === undefined) return;
		event.preventDefault();
		step();
	};
	// Preact's attribute types allow this role only with a native list.
	const combobox: object = {
		role: "combobox",
		"aria-autocomplete": "list",
		"aria-expanded": options.length > 0,
		"aria-controls": `${id}-hits`,
		"aria-activedescendant": options[chosen] && `${id}-${chosen}`,
	};
	return (
		<search
			class="search"
			onFocusOut={({ currentTarget, relatedTarget }) => {
				if (!currentTarget.contains(relatedTarget as Node | null)) setOpen(false);
			}}
		>
			<label for={id}>Find a project, a developer or a county</label>
			<input
				id={id}
				type="search"
				{...combobox}
				placeholder="Kern County, NextEra, J1234"
				autocomplete="off"
				maxLength={200}
				value={typed}
				onInput={({ currentTarget }) => {
					setTyped(currentTarget.value);
					setChosen(-1);
					setOpen(true);
				}}
				onFocus={() => setOpen(true)}
				onKeyDown={press}
			/>
			<Failed state={state} />
			<div class={found && "hits"}>
				<p class="soft" role="status">
					{found && summaryOf(found)}
				</p>
				<div id={`${id}-hits`} role="listbox" aria-label="Results" ref={list}>
					{options.map(({ href, kind, name, facts }, at) => (
						<a key={href} id={`${id}-${at}`} role="option" aria-selected={at === chosen} tabIndex={-1} href={href}>
							<span class="tag">{kind}</span> {name}{" "}
							<span class="soft">{facts.map((fact) => `· ${fact}`).join(" ")}</span>
						</a>
					))}
				</div>
			</div>
		</search>
	);
}

function summaryOf({ query, corrected, results }: Found) {
	if (results.length === 0) return `No results for “${safeText(query, 80)}”.`;
	return corrected !== undefined && `Showing results for “${safeText(corrected, 80)}”.`;
}

interface Option {
	kind: Hit["kind"];
	href: string;
	name: string;
	facts: string[];
}

function optionsOf(hit: Hit): Option[] {
	const { kind } = hit;
	if (hit.kind === "project") {
		const { id, region, status_std, capacity_mw, state, developer } = hit;
		const place = state !== null && safeText(state, 40);
		const facts = [
			region,
			status_std,
			capacity_mw !== null && power(capacity_mw),
			place,
			developer !== null && safeText(developer, 60),
		];
		const name = safeText(hit.name ?? id, 80);
		return [{ kind, href: `/projects/${encodeURIComponent(id)}`, name, facts: facts.filter((fact) => fact !== false) }];
	}
	const facts = [counted(hit.project_count, "request"), power(hit.total_capacity_mw)];
	if (hit.kind === "developer")
		return [{ kind, href: `/developers/${hit.developer_id}`, name: safeText(hit.name, 80), facts }];
	if (hit.kind === "poi") return [{ kind, href: `/explore?poi_id=${hit.poi_id}`, name: safeText(hit.name, 80), facts }];
	// The map filters counties by code, because several counties share a name.
	return hit.fips === null ? [] : [{ kind, href: `/explore?fips=${hit.fips}`, name: countyText(hit), facts }];
}

export const countyText = ({ name, state }: { name: string; state: string | null }): string =>
	safeText([name, state].filter(Boolean).join(", "), 80);
