/** The landing page: what there is, what moved last, and how to call it. */
import "../../style/base.css";
import "./home.css";
import { render } from "preact";
import { SearchBox } from "../../lib/search-box.tsx";
import { Sources } from "../../lib/sources.tsx";
import { FirstCall } from "./first-call.tsx";
import { LatestChanges } from "./latest-changes.tsx";
import { Numbers } from "./numbers.tsx";

function Home() {
	return (
		<>
			<SearchBox />
			<Numbers />
			<LatestChanges />
			<FirstCall />
			<Sources />
		</>
	);
}

const root = document.getElementById("page");
if (root) render(<Home />, root);
