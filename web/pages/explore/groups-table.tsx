import { useEffect, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { type Query, read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Pager } from "../../lib/elements/pager.tsx";
import { type Column, Table } from "../../lib/elements/table.tsx";
import { count, power, safeText } from "../../lib/text/format.ts";

export type Group = Reply<"groupProjects">["data"][number];

interface GroupsTableProps {
	by: "county" | "poi";
	query: Query;
	version: string;
	show(group: Group): void;
	choose(group: Group): void;
}

const perPage = 50;

const point: Column<Group> = ["Point of interconnection, as filed", ({ value }) => safeText(value ?? "Not filed", 80)];

/** A table of counties, or of points of interconnection by county. The map shows only points whose coordinates are filed. */
export function GroupsTable({ by, query, version, show, choose }: GroupsTableProps) {
	const key = JSON.stringify([by, query]);
	const [page, setPage] = useState(1);
	useEffect(() => setPage(1), [key]);
	const state = useRead(`${key} ${page} ${version}`, (signal) =>
		read("groupProjects", "/projects/groups", { ...query, by, page, per_page: perPage }, signal),
	);
	const found = state.data;
	const columns: Column<Group>[] = [
		...(by === "county" ? [] : [point]),
		["County", ({ county }) => safeText(county ?? (by === "county" ? "Not filed" : "–"), 60)],
		["State", ({ state }) => safeText(state ?? "–", 20)],
		["Requests", ({ requests }) => count(requests), "number"],
		["Capacity", ({ capacity_mw }) => power(capacity_mw), "number"],
		["Look", (group) => <Actions {...{ group, by, show, choose }} />, "actions"],
	];
	return (
		<>
			<Failed state={state} />
			{found && (
				<>
					<div class="scrolled" data-groups={by}>
						<Table rows={found.data} columns={columns} />
					</div>
					<Pager page={page} total={found.meta.total} perPage={perPage} go={setPage} />
				</>
			)}
		</>
	);
}

function Actions({ group, by, show, choose }: Pick<GroupsTableProps, "by" | "show" | "choose"> & { group: Group }) {
	const name = safeText((by === "county" ? group.county : group.value) ?? "", 60);
	const isKnown = by === "county" ? group.fips !== null : (group.value ?? "").length > 1;
	return (
		<>
			{group.lat !== null && (
				<button type="button" class="plain" aria-label={`Map: ${name}`} onClick={() => show(group)}>
					Map
				</button>
			)}{" "}
			{isKnown && (
				<button type="button" class="plain" aria-label={`Show only these: ${name}`} onClick={() => choose(group)}>
					Show only these
				</button>
			)}
		</>
	);
}
