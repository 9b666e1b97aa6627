/** How old and how trustworthy the data is: the lists of each operator, what was held back and why, and every source. */
import "../../style/base.css";
import { render } from "preact";
import { Sources } from "../../lib/sources.tsx";
import { Drift } from "./drift.tsx";
import { HeldBack } from "./held-back.tsx";
import { Lists } from "./lists.tsx";
import { Verdicts } from "./verdicts.tsx";

const Status = () => (
	<>
		<Verdicts />
		<HeldBack />
		<Drift />
		<Lists />
		<Sources />
		<p>
			<a href="/reconciliation">What others count of the same queues, and why it differs</a>
		</p>
	</>
);

const root = document.getElementById("page");
if (root) render(<Status />, root);
