/** A visitor's key and what belongs to its account: usage, plan, webhooks, watchlists, credits. */
import "../../style/base.css";
import "./account.css";
import { render } from "preact";
import { Account } from "./account.tsx";

const root = document.getElementById("page");
if (root) render(<Account />, root);
