import { read } from "../../lib/api.ts";
import { filed } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";

interface StatedProps {
	/** As it is stored, not as it is being typed. */
	project_id: string;
	field: string;
	/** A day of the past; undefined: now. */
	as_of: string | undefined;
}

/** What is stated of the request, which the dispute is about. */
export function Stated({ project_id, field, as_of }: StatedProps) {
	const { data } = useRead(`${project_id} ${as_of}`, (signal) =>
		read("getProject", `/projects/${encodeURIComponent(project_id)}`, { as_of }, signal),
	);
	const value = (data as Record<string, unknown> | undefined)?.[field];
	if (value === undefined) return null;
	return (
		<p data-stated>
			{as_of === undefined ? "Stated now" : `Stated of ${as_of}`}:{" "}
			<b>{value === null ? "none" : filed(typeof value === "string" ? value : JSON.stringify(value))}</b>
		</p>
	);
}
