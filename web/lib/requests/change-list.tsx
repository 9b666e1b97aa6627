import type { Reply } from "#libs/contract/index.ts";
import { ago, labelOf, power, safeText } from "../text/format.ts";
import { ProjectLink } from "./project-link.tsx";

type Change = Reply<"listChanges">["data"][number];

export const ChangeList = ({ changes }: { changes: Change[] }) => (
	<ol class="changes">
		{changes.map((change) => (
			<Line key={change.seq} change={change} />
		))}
	</ol>
);

function Line({ change }: { change: Change }) {
	const name = change.project_name ?? change.queue_id ?? "Many requests";
	return (
		<li data-seq={change.seq}>
			<span class="tag">{change.region}</span>{" "}
			{change.project_id === null ? <b>{safeText(name, 80)}</b> : <ProjectLink id={change.project_id} name={name} />}
			{change.capacity_mw !== null && <> · {power(change.capacity_mw)}</>}
			{change.type_std !== null && <> · {labelOf(change.type_std)}</>}
			{change.state !== null && <> · {safeText(change.state, 40)}</>}
			<br />
			<span class="soft">
				{labelOf(change.change_type)}
				{change.field_name !== null && (
					<>
						: {labelOf(change.field_name)} {safeText(change.old_value ?? "none", 60)} →{" "}
						{safeText(change.new_value ?? "none", 60)}
					</>
				)}{" "}
				·{" "}
				<time dateTime={change.detected_at}>
					{change.detected_at.slice(0, 10)}, {ago(change.detected_at, Date.now())}
				</time>
			</span>
		</li>
	);
}
