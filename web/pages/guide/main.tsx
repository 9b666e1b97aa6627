/** Adds copy buttons and a search field to a guide, whose text the server writes. */
import "../../style/base.css";
import "../../style/code.css";
import "../../style/contents.css";
import "./guide.css";
import { render } from "preact";
import { CopyButton } from "../../lib/text/code.tsx";

for (const code of document.querySelectorAll(".code")) {
	const button = document.createElement("span");
	code.append(button);
	render(<CopyButton text={code.textContent ?? ""} what="the code" class="small" />, button);
}

const readMarkdown = async (): Promise<string> => (await fetch(`${location.pathname}.md`)).text();

const copy = document.getElementById("copy");
if (copy) render(<CopyButton text={readMarkdown} label="Copy as Markdown" class="small" />, copy);

/** A search field that leads to /docs, where all endpoints are described. */
function Search() {
	const search = (event: SubmitEvent) => {
		event.preventDefault();
		const typed = new FormData(event.currentTarget as HTMLFormElement).get("find");
		location.assign(`/docs?${new URLSearchParams({ find: String(typed) })}`);
	};
	return (
		<search>
			<form onSubmit={search}>
				<label for="find">Search the documentation</label>
				<input id="find" name="find" type="search" autocomplete="off" maxLength={100} />
			</form>
		</search>
	);
}

const search = document.getElementById("search");
if (search) render(<Search />, search);
