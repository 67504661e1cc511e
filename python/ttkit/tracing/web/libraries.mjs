// What page.js uses of the libraries, as one global object.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { StreamLanguage, HighlightStyle, syntaxHighlighting, foldService, foldGutter, foldKeymap, foldAll, unfoldAll } from "@codemirror/language";
import { MergeView, unifiedMergeView, goToNextChunk, goToPreviousChunk, getChunks } from "@codemirror/merge";
import { search, searchKeymap, openSearchPanel, highlightSelectionMatches } from "@codemirror/search";
import { EditorState, StateEffect, StateField, RangeSet, Compartment } from "@codemirror/state";
import { EditorView, Decoration, keymap, lineNumbers, hoverTooltip, drawSelection } from "@codemirror/view";
import { tags } from "@lezer/highlight";

window.CM = {
  defaultKeymap, history, historyKeymap, StreamLanguage, HighlightStyle, syntaxHighlighting, foldService, foldGutter,
  foldKeymap, foldAll, unfoldAll, MergeView, unifiedMergeView, goToNextChunk, goToPreviousChunk, getChunks, search,
  searchKeymap, openSearchPanel, highlightSelectionMatches, EditorState, StateEffect, StateField, RangeSet, Compartment,
  EditorView, Decoration, keymap, lineNumbers, hoverTooltip, drawSelection, tags,
};
