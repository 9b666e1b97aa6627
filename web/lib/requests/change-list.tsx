import { changeSentence, nameOfChange } from "#libs/contract/documents/change-sentence.ts";
import type { Reply } from "#libs/contract/index.ts";
import { ago, counted, labelOf, power, safeText } from "../text/format.ts";
import { ProjectLink } from "./project-link.tsx";

type Change = Reply<"listChanges">["data"][number];

/** Minimum number of adjacent changes of the same list and kind that are collapsed into one line. */
const minGroupSize = 5;

export const ChangeList = ({ changes }: { changes: Change[] }) => (
	<ol class="changes">
		{groupsOf(changes).map((group) => {
			const [first] = group;
			if (first === undefined) return null;
			if (group.length < minGroupSize) return group.map((change) => <Line key={change.seq} change={change} />);
			return (
				<li key={first.seq}>
					<details>
						<summary>
							<span class="tag">{first.region}</span> {counted(group.length, "request")}: {groupText(first)} ·{" "}
							<Time at={first.detected_at} />
						</summary>
						<ol class="changes">
							{group.map((change) => (
								<Line key={change.seq} change={change} />
							))}
						</ol>
					</details>
				</li>
			);
		})}
	</ol>
);

function groupsOf(changes: Change[]): Change[][] {
	const groups: Change[][] = [];
	const kindOf = ({ region, change_type, field_name, detected_at }: Change) =>
		JSON.stringify([region, change_type, field_name, detected_at]);
	for (const change of changes) {
		const last = groups.at(-1);
		if (last?.[0] !== undefined && kindOf(last[0]) === kindOf(change)) last.push(change);
		else groups.push([change]);
	}
	return groups;
}

const groupText = (change: Change): string =>
	change.change_type === "disappeared" || change.field_name === null
		? changeSentence(change).replace(/^[A-Z]/, (letter) => letter.toLowerCase())
		: `${labelOf(change.field_name).toLowerCase()} changed`;

const Time = ({ at }: { at: string }) => (
	<time dateTime={at}>
		{at.slice(0, 10)}, {ago(at, Date.now())}
	</time>
);

function Line({ change }: { change: Change }) {
	const name = nameOfChange(change);
	return (
		<li data-seq={change.seq}>
			<span class="tag">{change.region}</span>{" "}
			{change.project_id === null ? <b>{name}</b> : <ProjectLink id={change.project_id} name={name} />}
			{change.capacity_mw !== null && <> · {power(change.capacity_mw)}</>}
			{change.type_std !== null && <> · {labelOf(change.type_std)}</>}
			{change.state !== null && <> · {safeText(change.state, 40)}</>}
			<br />
			<span class="soft">
				{changeSentence(change)} · <Time at={change.detected_at} />
			</span>
		</li>
	);
}
