/** What others count of the same queues, and why their counts and ours differ. */
import "../../style/base.css";
import "./reconciliation.css";
import { render } from "preact";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { useRead } from "../../lib/use-read.ts";
import { Compared } from "./compared.tsx";
import { Overview } from "./overview.tsx";

function Reconciliation() {
	const state = useRead("reconciliation", (signal) => read("getReconciliation", "/reconciliation", {}, signal));
	const found = state.data;
	return (
		<>
			<Failed state={state} />
			{found?.data.length === 0 && (
				<p role="status">Nothing is loaded that these queues could be compared with, or it is not compared yet.</p>
			)}
			{found && found.data.length > 0 && <Overview found={found} />}
			{found?.data.map((body) => (
				<Compared key={`${body.source} ${body.region}`} body={body} rules={found.rules} />
			))}
			<p class="soft">
				As JSON: <code>curl '{location.origin}/reconciliation?region=ERCOT'</code>
			</p>
		</>
	);
}

const root = document.getElementById("page");
if (root) render(<Reconciliation />, root);
