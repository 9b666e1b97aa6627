/** Objecting to what is stated: what, why, and where it can be read; and what became of a dispute. */
import "../../style/base.css";
import "./disputes.css";
import { render } from "preact";
import { Form } from "./form.tsx";
import { State } from "./state.tsx";

/** `?id=` is a dispute that was filed; anything else is what the form begins with. */
const given = new URLSearchParams(location.search);

function Disputes() {
	return (
		<>
			<Form given={given} />
			<State id={given.get("id") ?? ""} />
		</>
	);
}

const root = document.getElementById("page");
if (root) render(<Disputes />, root);
