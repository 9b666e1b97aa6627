import { useEffect, useState } from "preact/hooks";
import { useOperation } from "../../../lib/api/use-read.tsx";
import { power, safeText } from "../../../lib/text/format.ts";
import type { Hovered } from "./view.ts";

/** The pointer rests on a request for so long before its name is read. */
const restMs = 150;
/** CSS pixels. */
const width = 260;

/** A summary of a request beside the pointer. Readers without a pointer find it in the table. */
export function HoverCard({ hovered, as_of }: { hovered: Hovered; as_of: string | undefined }) {
	const { id, technology, status, capacityMw, x, y } = hovered;
	const [rested, setRested] = useState<string>();
	useEffect(() => {
		const timer = setTimeout(() => setRested(id), restMs);
		return () => clearTimeout(timer);
	}, [id]);
	const path = rested === id ? "/projects" : undefined;
	const query = { id, as_of, include_unlisted: "true", per_page: 1, fields: "id,name,region,queue_id" };
	const { data } = useOperation("listProjects", path, query);
	const [row] = data?.data ?? [];
	const found = row?.id === id ? row : undefined;
	return (
		<div
			class="hover-card"
			role="presentation"
			style={{ width: `${width}px`, left: `${x > width + 20 ? x - width - 12 : x + 12}px`, top: `${y + 12}px` }}
		>
			<b>{safeText(found?.name ?? found?.queue_id ?? id, 60)}</b>
			<br />
			{[found?.region, capacityMw === undefined ? "MW not filed" : power(capacityMw), status]
				.filter((part) => part !== undefined)
				.join(" · ")}
			<br />
			<span class="soft">{safeText(technology, 40)}</span>
		</div>
	);
}
