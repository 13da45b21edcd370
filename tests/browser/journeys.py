"""The browser tests that are run before a commit: one for each journey of a player, and for each script.

All others are nightly. A name with parameters in brackets is that case alone; one without is all its cases.
"""

JOURNEYS: dict[str, tuple[str, ...]] = {
    "test_journeys": ("test_every_journey_is_a_test",),
    # Matches: started, played to the end, undone; by typing, by tapping names, in three languages.
    "matches/test_new": ("test_a_usual_table_is_chosen_where_it_stands",),
    "matches/test_new_durak": ("test_a_new_company_sits_down",),
    "matches/test_pages": (
        "test_a_hasty_thumb_starts_one_match",
        "test_seats_are_changed_by_taps",
        "test_drawn_cards_are_tapped",
        "test_the_switches",
    ),
    "matches/test_board": ("test_the_picture_of_a_won_match_is_shared",),
    "matches/test_undo": ("test_undo_says_what_it_took_out",),
    "languages/test_whole_matches": (
        "test_a_whole_match[derda-pl]",
        "test_a_whole_match[durak-perevodnoy-ru]",
    ),
    # The walk past all pages: fit and accessibility, by role, language and view.
    "languages/test_every_page": ("test_each_page_once[0]",),
    "languages/test_languages": (
        "test_a_word_is_explained_by_a_tap",
        "test_no_page_is_left_out",
        "test_no_question_is_left_out",
    ),
    # Deals: every pad, itemised counts, corrections, the live preview, and the same with the server gone.
    "deals/test_deals": (
        "test_a_keyboard_does_it_too",
        "test_cards_are_tapped_trick_by_trick",
        "test_enough_from_the_board",
        "test_the_bidding_is_tapped_call_by_call",
        "test_two_totals_in_seven_taps",
    ),
    "deals/test_audit": ("test_a_revoke_is_found_and_its_penalty_written",),
    "deals/test_without_network": ("test_a_deal_saved_without_a_network_is_the_same_entry[derda]",),
    # Hands: an evening, a hand followed bout by bout, and a tap without network.
    "hands/test_hands": ("test_an_evening_of_five_hands",),
    "hands/test_follow": ("test_two_quick_taps_are_one_bout",),
    "hands/test_without_network": ("test_a_hand_saved_without_a_network_is_the_same_entry",),
    # Rulings: asked by taps and by keyboard, of a match, attached, printed.
    "rulings/test_ask": ("test_a_dispute_of_a_match", "test_by_keyboard_alone"),
    "rulings/test_ask_durak": ("test_a_bout_step_by_step",),
    "rulings/test_saved": ("test_attached_and_sent", "test_printed_on_one_page"),
    "rulebook/test_rulebook": ("test_from_a_match_to_its_card", "test_two_tables_are_compared_by_keyboard"),
    # Several phones: joining, following, agreeing and objecting.
    "sharing/test_following": (
        "test_a_deal_arrives",
        "test_typing_is_not_disturbed",
    ),
    "sharing/test_joining": (
        "test_an_opponent_joins_in_three_taps",
        "test_the_share_sheet_of_the_phone",
    ),
    "sharing/test_news": ("test_what_is_said_of_an_entry_is_seen_by_all",),
    "sharing/test_remarks": (
        "test_agree_in_one_tap_and_again_after_a_correction",
        "test_object_in_three_taps[en]",
    ),
    # Files: a match taken to another phone and back.
    "archives/test_archives": ("test_to_another_phone_and_back",),
    # What is typed and saved with the server gone: drafts, the outbox, and a phone that moves.
    "offline/phone/test_drafts": ("test_a_new_match",),
    "offline/phone/test_moving": ("test_by_a_code",),
    "offline/phone/test_outbox": ("test_every_kind_of_entry_arrives_once[a deal]",),
    # The worker: pages that are cached.
    "offline/installed/test_cached_pages": (
        "test_a_board_is_there_without_network",
        "test_nobody_else_sees_them",
    ),
    # The whole program in the phone: fetched, started, recording, brought to the server.
    "offline/app/test_start": (
        "test_it_is_ready_with_a_snapshot",
        "test_a_match_of_deals",
        "test_it_all_goes_to_the_server",
    ),
}
