/** Two to five interconnection requests side by side. The address (`?ids=`) is the state of the page. */
import "../../style/base.css";
import "./compare.css";
import { useEffect, useState } from "preact/hooks";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { mount } from "../../lib/elements/page.tsx";
import { counted } from "../../lib/text/format.ts";
import { AddRequest } from "./add-request.tsx";
import { Comparison } from "./comparison.tsx";

const most = 5;

const idsOfAddress = (): string[] => {
	const ids = new URLSearchParams(location.search).get("ids") ?? "";
	return [...new Set(ids.split(",").map((id) => id.trim()))].filter(Boolean).slice(0, most);
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
			{ids.length < most ? (
				<AddRequest shown={ids} add={(id) => show([...ids, id])} />
			) : (
				<p class="soft">At most {counted(most, "request")} are compared. Remove one to add another.</p>
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

mount(<Compare />);
